# SPDX-License-Identifier: Apache-2.0
"""What ctest is told to run, and what its tests' properties would hide: nothing of it leads to a pass."""
import json
import shutil
import subprocess

import tree  # puts the command line's test helpers on the path
import cli
import routes
from routes import GREEN, RED, codes


class Selections(routes.Case):
    # ---- What ctest is told

    def test_selections_of_less_than_a_profile(self):
        for words in (("-E", "verdict"), ("-E", "device"), ("-R", "device"), ("-R", "fixture"), ("-FA", "."), ("-FS", "."), ("-FC", "."),
                      ("-I", "1,1"), ("-LE", "nothing"), ("-L", "mini"), ("--stop-on-failure",)):
            with self.subTest(words=words):
                made = self.make("part" + "".join(words).replace("/", "").replace(".", "all"))
                made.write()
                done = made.ctest("-L", "mini", "-V", *words)
                self.assertEqual(done.returncode, RED, done.stdout.decode())
                self.assertRegex(done.stdout, b"ctest was started with|no run of profile")
                verdict = made.receipt()
                if verdict is not None:
                    self.assertEqual((verdict["word"], codes(verdict)), ("REFUSED", ["selection-partial"]))

    def test_word_that_ctest_does_not_know(self):
        """An older ctest passes over it and runs what is left; one that refuses it has run nothing."""
        made = self.make("unknown")
        made.write()
        done = made.ctest("-L", "mini", "-V", "--no-such-option")
        if b"Unknown argument: --no-such-option" in done.stdout:
            self.assertEqual(done.returncode, 1, done.stdout.decode())
            self.assertIsNone(made.receipt())
        else:
            self.assertEqual(done.returncode, RED, done.stdout.decode())
            self.assertEqual((made.receipt()["word"], codes(made.receipt())), ("REFUSED", ["selection-partial"]))

    def test_suite_of_another_configuration(self):
        """As CMake writes a test with CONFIGURATIONS: ctest does not list it, and calls the rest a pass."""
        made = self.make("configuration", kind="wrong")
        made.write()
        tests = made.folder / "CTestTestfile.cmake"
        begin, end = (tests.read_text().index(f"{words}{tree.TEST}") for words in ("add_test(", "set_tests_properties("))
        text = tests.read_text()
        tests.write_text(f'{text[:begin]}if(CTEST_CONFIGURATION_TYPE MATCHES "^Release$")\n{text[begin:end]}{text[end:]}endif()\n')
        out, _ = self.cupel("run", tree.PROFILE, "--tree", made.folder, status=cli.REFUSED)
        self.assertIn("lint-test-missing", out)
        self.assertEqual(made.ctest("-L", "mini").returncode, RED)
        self.assertIn("lint-test-missing", codes(made.receipt()))

    def test_rerun_of_what_failed(self):
        made = self.make("rerun", kind="wrong")
        made.write()
        self.assertEqual(made.ctest("-L", "mini").returncode, RED)
        made.suite.unlink()
        shutil.copy(made.bin / "refusals-suite", made.suite)
        done = made.ctest("--rerun-failed")
        self.assertEqual(done.returncode, RED, done.stdout.decode())
        self.assertNotEqual(made.receipt()["word"], "PASS")

    def test_repetition_until_it_passes(self):
        made = self.make("repeat")
        self.through_ctest(made, "REFUSED", ["repeat-forbidden"], "--repeat", "until-pass:3")

    def through_preset(self, made, preset, *more):
        """ctest with the preset "chosen" of the folder that the plan calls its source; `more` are presets of a file that is included."""
        made.write()
        source = self.scratch / f"{made.folder.name}-source"
        source.mkdir()
        document = {"version": 6, "configurePresets": [{"name": "tree", "generator": "Ninja", "binaryDir": str(made.folder)}],
                    "testPresets": [{"name": "chosen", "configurePreset": "tree", **preset}]}
        if more:
            document["include"] = ["more.json"]
            (source / "more.json").write_text(json.dumps({"version": 6, "testPresets": more}))
        (source / ("CMakeUserPresets.json" if more else "CMakePresets.json")).write_text(json.dumps(document))
        plan = made.folder / "cupel/plan.json"
        plan.write_text(plan.read_text().replace(json.dumps(str(cli.Options.source)), json.dumps(str(source))))
        return subprocess.run(["ctest", "--preset", "chosen", "-V"], cwd=source, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=cli.LIMIT_SECONDS, check=False)

    def test_presets_of_less_than_a_profile(self):
        """Their options are not on the command line; without its verdict a profile that misses a case would be green."""
        whole = {"include": {"label": "^mini$"}}
        presets = (({"filter": {**whole, "exclude": {"name": "verdict"}}}, b"filter.exclude.name"),
                   ({"filter": {**whole, "exclude": {"fixtures": {"cleanup": "."}}}}, b"filter.exclude.fixtures"),
                   ({"filter": {"include": {"name": "mini"}}}, b"filter.include.name"),
                   ({"filter": {"include": {"label": "^mini$", "index": {"start": 1, "end": 1}}}}, b"filter.include.index"),
                   ({"filter": whole, "execution": {"stopOnFailure": True}}, b"execution.stopOnFailure"),
                   ({"filter": whole, "execution": {"repeat": {"mode": "until-pass", "count": 3}}}, b"execution.repeat"))
        for number, (preset, member) in enumerate(presets):
            with self.subTest(member=member):
                done = self.through_preset(self.make(f"preset-{number}"), preset)
                self.assertEqual(done.returncode, RED, done.stdout.decode())
                self.assertIn(b'test preset "chosen" has ' + member, done.stdout)
                self.assertIn(b"repeat-forbidden: " if member == b"execution.repeat" else b"selection-partial: ", done.stdout)

    def test_preset_that_inherits(self):
        narrow = {"name": "narrow", "hidden": True, "filter": {"exclude": {"name": "verdict"}}}
        done = self.through_preset(self.make("inherits"), {"inherits": ["narrow"], "filter": {"include": {"label": "^mini$"}}}, narrow)
        self.assertEqual(done.returncode, RED, done.stdout.decode())
        self.assertIn(b'test preset "narrow" has filter.exclude.name', done.stdout)

    def test_preset_of_another_folder(self):
        made = self.make("elsewhere")
        made.write()
        (self.scratch / "CMakePresets.json").write_text(json.dumps({
            "version": 6, "configurePresets": [{"name": "tree", "generator": "Ninja", "binaryDir": str(made.folder)}],
            "testPresets": [{"name": "elsewhere", "configurePreset": "tree", "filter": {"exclude": {"name": "verdict"}}}]}))
        done = subprocess.run(["ctest", "--preset", "elsewhere", "-V"], cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=cli.LIMIT_SECONDS, check=False)
        self.assertEqual(done.returncode, RED, done.stdout.decode())
        self.assertIn(b'have no test preset "elsewhere"', done.stdout)

    def test_preset_of_whole_profiles(self):
        """Legal: the device test takes it. (The source folder is not the one that the executables were built from.)"""
        done = self.through_preset(self.make("preset-whole"), {"filter": {"include": {"label": "^mini$"}, "exclude": {"label": "^cuda$"}},
                                                               "output": {"outputOnFailure": True}, "execution": {"jobs": 2}})
        self.assertRegex(done.stdout, rb"mini\.device \.+ +Passed")
        self.assertNotIn(b"selection-partial", done.stdout)

    # ---- Tests of a folder that includes the build tree

    def outside(self, made, *lines):
        """A folder whose tests are those of the tree, with more lines behind them."""
        made.write()
        folder = self.scratch / f"{made.folder.name}-outside"
        folder.mkdir()
        (folder / "CTestTestfile.cmake").write_text("\n".join(lines) + "\n")
        return folder

    def through_folder(self, folder):
        return subprocess.run(["ctest", "--test-dir", folder, "-L", "mini", "-V"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=cli.LIMIT_SECONDS, check=False)

    def test_folder_that_includes_the_tree(self):
        made = self.make("included")
        done = self.through_folder(self.outside(made, f'subdirs("{made.folder}")', "add_test(other /bin/true)"))
        self.assertEqual(done.returncode, GREEN, done.stdout.decode())
        self.assertEqual(made.receipt()["word"], "PASS")

    def test_custom_file_of_a_folder_that_includes_the_tree(self):
        made = self.make("included-custom")
        folder = self.outside(made, f'subdirs("{made.folder}")')
        (folder / "CTestCustom.cmake").write_text("set(CTEST_CUSTOM_TESTS_IGNORE mini.verdict)\n")
        done = self.through_folder(folder)
        self.assertEqual(done.returncode, RED, done.stdout.decode())
        self.assertIn(f"lint-custom-file: {folder}/CTestCustom.cmake".encode(), done.stdout)

    def test_properties_and_losses_of_a_folder_that_copies_the_tests(self):
        for name, change, reason in (("inverts", lambda line: line, b"lint-property"),
                                     ("loses", lambda line: "" if "mini.verdict" in line else line, b"lint-test-missing")):
            with self.subTest(name=name):
                made = self.make(f"copied-{name}")
                made.write()
                lines = [change(line) for line in (made.folder / "CTestTestfile.cmake").read_text().splitlines()]
                inverted = f"set_tests_properties({tree.TEST} PROPERTIES WILL_FAIL 1)"
                done = self.through_folder(self.outside(made, *lines, inverted if name == "inverts" else ""))
                self.assertEqual(done.returncode, RED, done.stdout.decode())
                self.assertIn(reason, done.stdout)

    # ---- What the tests' properties would hide

    def test_properties(self):
        for properties in ("WILL_FAIL 1", "SKIP_RETURN_CODE 1", "SKIP_REGULAR_EXPRESSION differs", "PASS_REGULAR_EXPRESSION .", "DISABLED 1",
                           "ENVIRONMENT CUDA_VISIBLE_DEVICES=", "RESOURCE_GROUPS gpus:1", "REQUIRED_FILES /nonexistent"):
            def spoil(made, properties=properties):
                made.properties += " " + properties
            with self.subTest(properties=properties):
                made = self.make("property-cupel-" + properties.split()[0], kind="wrong")
                spoil(made)
                made.write()
                out, _ = self.cupel("run", tree.PROFILE, "--tree", made.folder, status=cli.REFUSED)
                self.assertIn("lint-property", out)
                made = self.make("property-ctest-" + properties.split()[0], kind="wrong")
                spoil(made)
                made.write()
                done = made.ctest("-L", "mini")
                self.assertEqual(done.returncode, RED, done.stdout.decode())
                self.assertEqual(codes(made.receipt()), ["lint-property"])

    def test_properties_of_the_device_test(self):
        """Every exit status can be inverted by a property of the very test that looks; it ends by a signal instead."""
        for properties in ("WILL_FAIL 1", "SKIP_RETURN_CODE 1", "SKIP_RETURN_CODE 3", "PASS_REGULAR_EXPRESSION ."):
            made = self.make("device-" + properties.replace(" ", "-"))
            made.device += " " + properties
            made.verdict += " " + properties
            made.write()
            done = made.ctest("-L", "mini")
            self.assertEqual(done.returncode, RED, done.stdout.decode())

    def test_wrapper(self):
        made = self.make("wrapper")
        made.command = ["/bin/sh", "-c", 'exec "$0" "$@"', *made.command]
        made.write()
        out, _ = self.cupel("run", tree.PROFILE, "--tree", made.folder, status=cli.REFUSED)
        self.assertIn("lint-wrapper", out)
        self.assertEqual(made.ctest("-L", "mini").returncode, RED)
        self.assertEqual(codes(made.receipt()), ["lint-wrapper"])

    def test_fixture_that_does_not_exist(self):
        def rename(made):
            made.properties = made.properties.replace("cupel.mini", "cupel.other")
        made = self.make("fixture")
        rename(made)
        made.write()
        out, _ = self.cupel("run", tree.PROFILE, "--tree", made.folder, status=cli.REFUSED)
        self.assertIn("lint-fixture", out)
        self.assertEqual(made.ctest("-L", "mini").returncode, RED)

    def test_second_label(self):
        made = self.make("labels")
        made.properties = made.properties.replace(f"LABELS {tree.PROFILE}", f'LABELS "{tree.PROFILE};fast"')
        made.write()
        out, _ = self.cupel("run", tree.PROFILE, "--tree", made.folder, status=cli.REFUSED)
        self.assertIn("lint-label", out)
        self.assertEqual(made.ctest("-L", "mini").returncode, RED)
        self.assertEqual(codes(made.receipt()), ["lint-label"])

    def test_label_that_is_too_wide(self):
        made = self.make("wide")
        made.extra = 'add_test(other /bin/true)\nset_tests_properties(other PROPERTIES LABELS "no-mini")\n'
        made.write()
        out, _ = self.cupel("run", tree.PROFILE, "--tree", made.folder, status=cli.REFUSED)
        self.assertIn("lint-test-extra", out)
        self.assertEqual(made.ctest("-L", "mini").returncode, RED)

    def test_custom_file_drops_the_verdict(self):
        made = self.make("custom")
        made.write()
        (made.folder / "CTestCustom.cmake").write_text("set(CTEST_CUSTOM_TESTS_IGNORE mini.verdict mini.fixture)\n")
        done = made.ctest("-L", "mini", "-V")
        self.assertEqual(done.returncode, RED, done.stdout.decode())
        self.assertIn(b"lint-custom-file", done.stdout)
        out, _ = self.cupel("run", tree.PROFILE, "--tree", made.folder, status=cli.REFUSED)
        self.assertIn("lint-custom-file", out)

    def test_missing_lock_and_limit(self):
        for name, old in (("lock", "RESOURCE_LOCK device"), ("limit", "TIMEOUT 90")):
            made = self.make("guard-" + name)
            made.properties = made.properties.replace(old, "")
            made.write()
            out, _ = self.cupel("run", tree.PROFILE, "--tree", made.folder, status=cli.REFUSED)
            self.assertIn("lint-lock", out)
            self.assertEqual(made.ctest("-L", "mini").returncode, RED)


if __name__ == "__main__":
    cli.main()
