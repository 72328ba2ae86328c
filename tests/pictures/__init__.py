"""The picture maker: rendered tables with known truth, to train and to judge the reader with."""
