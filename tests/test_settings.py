"""Settings: what is in force, where it comes from, and what a mistake sounds like."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import experience
from experience.errors import InvalidInput
from experience.settings import KNOWN, Settings, home_directory

NAME = "half_life_days"


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """The user's settings file and the project's, not written yet."""
    home, project = tmp_path / "home" / "settings.json", tmp_path / "work" / ".experience" / "settings.json"
    for path in (home, project):
        path.parent.mkdir(parents=True)
    return home, project


def settings(places: tuple[Path, Path], **environ: str) -> Settings:
    home, project = places
    return Settings(str(home.parent), str(project.parent.parent), environ)


def source(found: Settings, name: str) -> str:
    return next(setting.source for setting in found.all() if setting.name == name)


def test_defaults_hold_where_nothing_is_set(places: tuple[Path, Path]) -> None:
    found = settings(places)

    assert {setting.name: setting.value for setting in found.all()} == {name: KNOWN[name][0] for name in KNOWN}
    assert {setting.source for setting in found.all()} == {"default"}
    assert (found[NAME], found["min_weight"]) == (30.0, 0.05)


def test_the_nearer_setting_wins_and_says_where_it_came_from(places: tuple[Path, Path]) -> None:
    """defaults < the user's file < the project's file < the environment."""
    home, project = places
    home.write_text(json.dumps({NAME: 20, "min_weight": 0.1}))
    assert (settings(places)[NAME], source(settings(places), NAME)) == (20, str(home))

    project.write_text(json.dumps({NAME: 10}))
    assert (settings(places)[NAME], source(settings(places), NAME)) == (10, str(project))
    assert source(settings(places), "min_weight") == str(home)

    found = settings(places, EXPERIENCE_HALF_LIFE_DAYS="5.5")
    assert (found[NAME], source(found, NAME)) == (5.5, "EXPERIENCE_HALF_LIFE_DAYS")


def test_an_empty_variable_counts_as_not_set(places: tuple[Path, Path]) -> None:
    assert source(settings(places, EXPERIENCE_HALF_LIFE_DAYS=""), NAME) == "default"


def test_text_in_the_environment_stays_text(places: tuple[Path, Path]) -> None:
    found = settings(places, EXPERIENCE_PROJECT="123", EXPERIENCE_HOST="127.0.0.2", EXPERIENCE_PORT="0")

    assert (found["project"], found["host"], found["port"]) == ("123", "127.0.0.2", 0)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('{"halflife": 3}', "'halflife' is unknown; known are project, url"),
        ('{"half_life_days": "soon"}', "half_life_days must be a number above 0, not 'soon'"),
        ('{"half_life_days": 0}', "half_life_days must be a number above 0, not 0"),
        ('{"half_life_days": NaN}', "half_life_days must be a number above 0"),
        ('{"half_life_days": true}', "half_life_days must be a number above 0, not True"),
        ('{"min_weight": 2}', "min_weight must be a number from 0 to 1, not 2"),
        ('{"port": 70000}', "port must be a whole number from 0 to 65,535"),
        ('{"url": 5}', "url must be text, not int"),
        ('{"url": "foo"}', "url 'foo' is no server; write libsql://host"),
        ('{"host": "0.0.0.0"}', "host '0.0.0.0' is not an address of this machine alone; use 127.0.0.1"),
        ('{"host": "example.org"}', "host 'example.org' is not an address of this machine alone"),
        ('{"project": " "}', "project is empty"),
        ("[1, 2]", "must hold one JSON object"),
        ("{half_life", "cannot be read as JSON"),
        ("", "cannot be read as JSON"),
    ],
)
@pytest.mark.parametrize("which", [0, 1])
def test_a_mistake_in_a_file_is_named_with_its_place(
    places: tuple[Path, Path], which: int, written: str, said: str
) -> None:
    places[which].write_text(written)

    with pytest.raises(InvalidInput) as refused:
        settings(places)

    assert said in str(refused.value)
    assert str(places[which]) in str(refused.value)


def test_a_mistake_in_the_environment_is_named_with_its_variable(places: tuple[Path, Path]) -> None:
    with pytest.raises(InvalidInput, match="EXPERIENCE_MIN_WEIGHT: min_weight must be a number"):
        settings(places, EXPERIENCE_MIN_WEIGHT="a lot")


def test_a_file_of_other_bytes_is_named(places: tuple[Path, Path]) -> None:
    places[0].write_bytes(b"\xff\xfe\x00")

    with pytest.raises(InvalidInput, match=r"settings\.json cannot be read as JSON"):
        settings(places)


def test_a_project_obeys_its_settings(tmp_path: Path) -> None:
    """The settings reach the verbs: a half-life of ten days halves a weight in ten days."""
    directory = tmp_path / "work" / ".experience"
    directory.mkdir(parents=True)
    (directory / "settings.json").write_text('{"half_life_days": 10, "min_weight": 0.6, "project": "mine"}')
    clock = experience.StillClock()

    with experience.open(tmp_path / "work", clock=clock) as memory:
        written = memory.record("deploy", 1)
        clock.advance(days=10)
        memory.apply_decay()

        assert memory.project == "mine"
        assert memory.get(written.id).weight == pytest.approx(0.5)
        assert memory.prune_expired() == 1


def test_a_bad_setting_stops_the_opening_and_makes_no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPERIENCE_TIMEOUT_S", "-1")

    with pytest.raises(InvalidInput, match="timeout_s must be a number above 0"):
        experience.open(tmp_path / "work")

    assert not (tmp_path / "work").exists()


def test_the_home_is_given_or_from_the_environment_or_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert home_directory(tmp_path) == str(tmp_path)

    monkeypatch.setenv("EXPERIENCE_HOME", str(tmp_path / "other"))
    assert home_directory() == str(tmp_path / "other")

    monkeypatch.delenv("EXPERIENCE_HOME")
    assert home_directory() == os.path.expanduser("~/.experience")


def test_every_setting_explains_itself(places: tuple[Path, Path]) -> None:
    assert all(len(setting.help) > 10 for setting in settings(places).all())
