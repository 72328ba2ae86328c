"""Photo sessions with known truth: how often readings are right, unsure or wrong, and how sure they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from calibration.calibrate import calibrate
from calibration.faults import CannotCalibrate
from calibration.files import NotAPhoto, read_photo
from calibration.store import BadProfile, load, read_layout
from companion.about import about
from companion.cameras import CAMERAS, taken_by
from companion.disturbances import DISTURBANCES, disturbed
from companion.followed import told_by
from companion.photos import measured, readable
from companion.reliability import Reliability
from companion.sessions import KEPT_PROFILE, sessions_under
from companion.tally import LEGEND, Rounds, Tally, is_mislaid
from companion.together import Together
from companion.truth import BadSession, truth_of
from vision.geometry import BadLayout, Image
from vision.profile import Profile
from vision.reading import Reading


class NoSessions(ValueError):
    """A folder without photo sessions; the text says where was looked."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What there is to say about one frame; `photo` is its name, with how it was disturbed."""

    photo: str
    what: str


@dataclass(slots=True)
class Result:
    """One session: how its frames were read, or the `fault` for which none could be.

    `lost`: sentences about frames of its truth.json that are no pictures. `gone`: names of those that are
    not there: somebody took them out, which is no fault, but is said, for no figure may change in silence.
    """

    session: str
    tally: Tally = field(default_factory=Tally)
    remarks: list[Remark] = field(default_factory=list)
    fault: str = ""
    lost: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """What is wrong with it, in sentences."""
        return [self.fault] if self.fault else self.lost

    def rows(self) -> Iterator[str]:
        """Its line of the table, and one for each remark."""
        if self.fault:
            yield f"{self.session:<22}  cannot be read: {self.fault}"
            return
        yield self.tally.row(self.session)
        yield from (f"    {remark.photo} {remark.what}" for remark in self.remarks)
        if self.gone:
            yield f"    not there, so not counted: {', '.join(self.gone)}"

    def as_object(self) -> dict[str, Any]:
        if self.fault:
            return {"session": self.session, "error": self.fault}
        remarks = [asdict(remark) for remark in self.remarks]
        return {"session": self.session, **self.tally.as_object(), "remarks": remarks, "gone": self.gone}


class Evaluation:
    """Reads every photo session under `folder`, each calibrated once; raises `NoSessions`.

    With `disturb` every frame is read again in each of the ways of `DISTURBANCES`; with `cameras` every
    session is learned and read again as each of `CAMERAS` would give it; `alone`: what a table's other photos
    show of its bare pieces is not known. What has been read so far is in `total`, `disturbed`, `cameras`,
    `rounds` and `reliability`; frames are not kept.
    """

    def __init__(
        self, folder: Path, disturb: bool = False, cameras: bool = False, alone: bool = False
    ) -> None:
        if folder.is_file():
            raise NoSessions(f"{folder}: it is a file; name the folder that holds the photo sessions")
        if not folder.is_dir():
            raise NoSessions(f"{folder}: there is no such folder; name one that holds photo sessions")
        self._folder, self._disturb, self._alone = folder, disturb, alone
        self._sessions = sessions_under(folder)
        if not self._sessions:
            raise NoSessions(f"{folder}: no photo session with a truth.json in it")
        self.total = Tally()
        self.disturbed = {how: Tally() for how in DISTURBANCES} if disturb else {}
        self.cameras = {name: Tally() for name in CAMERAS} if cameras else {}
        self.rounds = Rounds()
        self.reliability = Reliability()

    def results(self) -> Iterator[Result]:
        """One session after the other."""
        for session in self._sessions:
            name = str(session.relative_to(self._folder)) if session != self._folder else session.name
            result = Result(name)
            try:
                if not (session / "frames").is_dir():
                    raise BadSession("its folder frames is not there; bring it along")
                profile = learn(session)
                truth = truth_of(session, [colour.name for colour in profile.colours])
            except (BadLayout, BadProfile, BadSession, CannotCalibrate, NotAPhoto) as fault:
                result.fault = str(fault)
            except OSError as fault:
                result.fault = f"{fault.filename}: {fault.strerror}"
            else:
                self._read(session, truth, profile, result)
                self.total += result.tally
            yield result

    def rows(self) -> Iterator[str]:
        """What stands below the sessions: totals, disturbed frames, and how sure was how right."""
        yield self.total.row("all")
        yield from (tally.row(how) for how, tally in {**self.disturbed, **self.cameras}.items())
        yield LEGEND
        if self.rounds != Rounds():
            yield self.rounds.row()
        yield ""
        yield from self.reliability.rows()

    def as_object(self) -> dict[str, Any]:
        """The same for a program."""
        return {
            "total": self.total.as_object(),
            "disturbed": {how: tally.as_object() for how, tally in self.disturbed.items()},
            "cameras": {name: tally.as_object() for name, tally in self.cameras.items()},
            "rounds": asdict(self.rounds),
            "reliability": self.reliability.as_object(),
        }

    def _read(
        self, session: Path, truth: dict[str, dict[str, Any]], profile: Profile, result: Result
    ) -> None:
        photos = [session / "frames" / name for name in truth]
        profile = measured(profile, readable(photos))
        together = self._together(profile, {photo.name: partial(read_photo, photo) for photo in photos})
        through = {
            camera: self._learned_through(camera, session, photos, result)
            for camera in self._tried(session, result)
        }
        is_round = any("move" in known for known in truth.values())
        seen: dict[str, dict[str, Reading]] = {}
        for name, known in truth.items():
            try:
                frame = read_photo(session / "frames" / name)
            except NotAPhoto as fault:
                if isinstance(fault.__cause__, FileNotFoundError):
                    result.gone.append(name)
                    continue
                result.lost.append(str(fault))
                result.remarks.append(Remark(name, f"cannot be read: {fault}"))
                continue
            for how, tally, reading in self._each(session, name, frame, together, through, result.tally):
                if is_round:
                    seen.setdefault(how, {})[name] = reading
                self.reliability.take(reading, known)
                remark = tally.count(reading, known)
                if remark and (not how or _is_defect(reading, known)):  # else doubts would drown the defects
                    result.remarks.append(Remark(f"{name}, {how}:" if how else name, remark))
        self._follow(seen, truth, [colour.name for colour in profile.colours], result)

    def _each(
        self,
        session: Path,
        name: str,
        frame: Image,
        together: Together,
        through: Mapping[str, Together | None],
        tally: Tally,
    ) -> Iterator[tuple[str, Tally, Reading]]:
        """What is read in a frame as taken (""), disturbed, through other cameras; and where it counts."""
        seed = f"{session.name}/{name}"
        yield "", tally, together.read(frame, name)
        for how, counted in self.disturbed.items():
            yield how, counted, together.read(disturbed(frame, how, seed), name)
        for camera, others in through.items():
            taken = taken_by(camera, frame, seed)
            yield camera, self.cameras[camera], others.read(taken, name) if others else Reading(None, {})

    def _follow(
        self,
        seen: Mapping[str, Mapping[str, Reading]],
        truth: Mapping[str, dict[str, Any]],
        colours: list[str],
        result: Result,
    ) -> None:
        """Count a round, as often as it was seen."""
        for how, readings in seen.items():
            remark = self.rounds.count(told_by(readings, colours), truth)
            if remark:
                result.remarks.append(Remark(f"round, {how}:" if how else "round:", remark))

    def _tried(self, session: Path, result: Result) -> list[str]:
        """Which cameras can be tried: none where the photos that the profile was made from are not there."""
        if self.cameras and not _keeps_its_photos(session):
            result.remarks.append(
                Remark("cameras:", "not tried, for its photo of the dice is not kept with it")
            )
            return []
        return list(self.cameras)

    def _together(self, profile: Profile, photos: Mapping[str, Callable[[], Image]]) -> Together:
        return Together(profile, {} if self._alone else photos)

    def _learned_through(
        self, camera: str, session: Path, photos: list[Path], result: Result
    ) -> Together | None:
        """Reads what that camera would take of a set; None, and a remark, where its photos would be refused:
        a set that could not be learned cannot be read."""
        try:
            profile = learn(session, camera)
        except CannotCalibrate as fault:
            result.remarks.append(Remark(f"{camera}:", f"cannot be learned: {fault}"))
            return None
        profile = measured(profile, (taken_by(camera, frame, session.name) for frame in readable(photos)))

        def opened(photo: Path) -> Image:
            return taken_by(camera, read_photo(photo), f"{session.name}/{photo.name}")

        return self._together(profile, {photo.name: partial(opened, photo) for photo in photos})


def _is_defect(reading: Reading, known: dict[str, Any]) -> bool:
    """Whether what there is to remark about it is more than a doubt."""
    return reading.sure or is_mislaid(reading, known)


def _keeps_its_photos(session: Path) -> bool:
    return (session / "dice.jpg").exists() or not (session / KEPT_PROFILE).exists()


def learn(session: Path, camera: str | None = None) -> Profile:
    """The profile that this session's own photos give; without a photo of the dice, the one kept with it.

    `camera`: which of `CAMERAS` took its photos; None: the one that did.
    """
    if not _keeps_its_photos(session):
        return load(session / KEPT_PROFILE)
    told = about(session)
    photos = {name: read_photo(session / f"{name}.jpg") for name in ("empty", "dice")}
    if camera:
        photos = {name: taken_by(camera, photo, f"{session.name}/{name}") for name, photo in photos.items()}
    layout = read_layout(session / "layout.json")
    return calibrate(
        layout, photos["empty"], photos["dice"], told.colours, told.die_mm, told.piece_mm, looks=told.looks
    )
