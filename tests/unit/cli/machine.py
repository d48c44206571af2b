# SPDX-License-Identifier: Apache-2.0
"""What cupel says of a machine's devices, and that a device which changed during an attempt refuses it. NVML is a stand-in."""
import json
import shutil

import cli
from attempts import Attempt


class Machine(Attempt):
    def setUp(self):
        super().setUp()
        self.fake = cli.Options.tree / "tests/unit/fake-nvml"
        self.env = {"LD_LIBRARY_PATH": str(self.fake)}

    def test_state_of_a_device(self):
        out, _ = self.cupel("doctor", "--devices", status=cli.PASS, env=self.env)
        nvml = json.loads(out)["nvml"]
        self.assertEqual((nvml["library"], nvml["error"], nvml["driver"]), (True, None, "580.1"))
        (device,) = nvml["devices"]
        self.assertEqual(device, {
            "index": 0, "name": "NVIDIA Fake", "uuid": "GPU-00000000-1111-2222-3333-444444444444", "vbios": "96.00",
            "ecc": {"current": 1, "pending": 1}, "partitions": {"current": 0, "pending": 0}, "compute_mode": 0, "persistence": 1,
            "power_limit_mw": 700000, "uncorrected_errors": 0, "clients": [{"pid": 4711}],
            "clocks": {"sm": {"most_mhz": 1980, "set_mhz": None}, "memory": {"most_mhz": 3201, "set_mhz": None}},
            "not_told": ["clocks.sm.set_mhz: Not Supported", "clocks.memory.set_mhz: Not Supported"],
            "now": {"sm_mhz": 345, "memory_mhz": 2619, "temperature_c": None, "power_mw": None, "performance_state": None,
                    "clock_event_reasons": None}})

    def test_what_is_not_told_is_said(self):
        """A virtual GPU or an account without permission: unknown is null, never 0, and a sentence says why."""
        out, _ = self.cupel("doctor", "--devices", status=cli.PASS, env={**self.env, "FAKE_NVML_SECRETIVE": "1"})
        (device,) = json.loads(out)["nvml"]["devices"]
        self.assertIsNone(device["clients"])
        self.assertIn("clients: Insufficient Permissions", device["not_told"])
        out, _ = self.cupel("doctor", "--tree", self.tree.folder, status=cli.PASS, env={**self.env, "FAKE_NVML_SECRETIVE": "1"})
        self.assertIn("device 0: NVIDIA Fake, not told: clocks.sm.set_mhz", out)
        self.assertIn("clients: Insufficient Permissions", out)
        out, _ = self.cupel("doctor", "--devices", status=cli.PASS, env={**self.env, "FAKE_NVML_BROKEN": "1"})
        nvml = json.loads(out)["nvml"]
        self.assertEqual((nvml["devices"], nvml["error"]), ([], "NVML cannot be initialised: Insufficient Permissions"))

    def test_what_changes_from_moment_to_moment_is_kept_and_does_not_refuse(self):
        env = {**self.env, "FAKE_NVML_MOMENTS": str(self.scratch / "moments")}
        self.cupel("run", "mini", "--tree", self.tree.folder, "--evidence", self.scratch / "e", status=cli.PASS, env=env)
        (attempt,) = (self.scratch / "e").iterdir()
        clocks = [json.loads((attempt / f"steps/machine-{when}/stdout").read_text())["devices"]["nvml"]["devices"][0]["now"]["sm_mhz"]
                  for when in ("before", "after")]
        self.assertNotEqual(*clocks)
        self.cupel("receipt", "check", attempt, status=cli.PASS)

    def test_quiet_device_holds_and_its_copy_gives_nothing_away(self):
        self.cupel("run", "mini", "--tree", self.tree.folder, "--evidence", self.scratch / "e", status=cli.PASS, env=self.env)
        (attempt,) = (self.scratch / "e").iterdir()
        self.cupel("receipt", "publish", attempt, "--output", self.scratch / "public", status=cli.PASS)
        text = (self.scratch / "public/steps/machine-after/stdout").read_text()
        self.assertIn("NVIDIA Fake", text)
        for secret in ("GPU-00000000-1111", "4711"):
            self.assertNotIn(secret, text)

    def edited(self, receipt, edits, at):
        """A copy of a published receipt whose two records of the machine say otherwise, sealed by Cupel's own code; its check."""
        attempt = self.scratch / f"{receipt}-{at}"
        shutil.copytree(cli.Options.source / "docs/receipts" / receipt, attempt)
        for when in ("before", "after"):
            path = attempt / f"steps/machine-{when}/stdout"
            record = json.loads(path.read_text())
            for members, value in edits:
                holder = record
                for member in members[:-1]:
                    holder = holder[member]
                self.assertNotEqual(holder[members[-1]], value)
                holder[members[-1]] = value
            path.write_text(json.dumps(record, indent=1))
        self.seal(attempt)
        (one,) = self.json("receipt", "check", attempt, status=None)["attempts"]
        return [(reason["code"], reason["subject"]) for reason in one["reasons"] if reason["code"] != "lane-missing"], one["device"]

    def test_device_that_the_machine_does_not_have(self):
        """Both records changed alike: only the run's own look at its device says otherwise. The receipts are real ones."""
        nvml, cuda, opencl = (("devices", "nvml", "devices", 0), ("devices", "cuda", "devices", 0),
                              ("devices", "opencl", "platforms", 1, "devices", 0))
        forged = (
            ("h200-cuda", [((*nvml, "uuid"), "[uuid-9]")]), ("h200-cuda", [((*nvml, "name"), "NVIDIA H100")]),
            ("h200-cuda", [((*cuda, "name"), "NVIDIA H100")]), ("h200-cuda", [((*cuda, "capability"), "8.0")]),
            ("h200-cuda", [(("devices", "nvml", "driver"), "570.1")]), ("h200-opencl-gpu", [((*nvml, "uuid"), "[uuid-9]")]),
            ("h200-opencl-gpu", [((*opencl, "name"), "NVIDIA H100")]), ("h200-opencl-gpu", [((*opencl, "driver"), "1")]),
            ("debian12-opencl-cpu", [(("devices", "opencl", "platforms", 0, "devices", 0, "name"), "x")]),
            ("debian12-cpu-reference", [(("machine", "processor", "model"), "x")]),
            ("debian12-cpu-reference", [(("machine", "system", "release"), "x")]),
        )
        for at, (receipt, edits) in enumerate(forged):
            self.assertEqual(self.edited(receipt, edits, at)[0], [("evidence-contradiction", "machine-before")], (receipt, edits))

    def test_machine_that_tells_no_device_says_so(self):
        """Without NVML the model stands for the device, without the driver's list nothing does: neither refuses, both are said."""
        without = [(("devices", "nvml"), {"library": False, "error": None, "driver": None, "devices": []})]
        unseen = [*without, (("devices", "cuda", "devices"), []), (("devices", "cuda", "error"), "cuInit returned 100")]
        self.assertEqual(self.edited("h200-cuda", [(("devices", "nvml", "devices", 0, "vbios"), "x")], "same"),
                         ([], {"by": "uuid", "why": ""}))
        self.assertEqual(self.edited("h200-cuda", without, "without"), ([], {"by": "model", "why": "NVML: it is not there"}))
        self.assertEqual(self.edited("h200-cuda", unseen, "unseen"), ([], {"by": "none", "why": "NVML: it is not there"}))
        out, _ = self.cupel("receipt", "check", self.scratch / "h200-cuda-unseen", status=cli.REFUSED)
        self.assertIn("lane-missing", out)

    def test_errors_that_rose_during_the_attempt_refuse(self):
        env = {**self.env, "FAKE_NVML_JOURNAL": str(self.scratch / "journal")}
        self.cupel("run", "mini", "--tree", self.tree.folder, "--evidence", self.scratch / "e", status=cli.REFUSED, env=env)
        (attempt,) = (self.scratch / "e").iterdir()
        answer = self.json("receipt", "check", attempt, status=cli.REFUSED)
        (reason,) = answer["attempts"][0]["reasons"]
        self.assertEqual((reason["code"], reason["subject"]), ("machine-changed", "machine-after"))
        self.assertIn("nvml.devices[0].uncorrected_errors", reason["text"])


if __name__ == "__main__":
    cli.main()
