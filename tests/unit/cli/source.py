# SPDX-License-Identifier: Apache-2.0
"""cupel source: a commit and a clean tree, or a list of hashes; nothing else says which source it is."""
import subprocess

import cli
import mini


class Source(cli.Case):
    def setUp(self):
        super().setUp()
        self.clone = self.scratch / "clone"
        (self.clone / "src").mkdir(parents=True)
        (self.clone / "docs").mkdir()
        (self.clone / "src/a.c").write_text("int a;\n")
        (self.clone / "docs/a.md").write_text("text\n")
        (self.clone / ".gitignore").write_text("/SOURCE.sha256\n")
        self.git("init", "-q")
        self.commit("first")

    def git(self, *words):
        return mini.git(self.clone, *words)

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def describe(self, status=cli.PASS, *more):
        return self.json("source", "--source", self.clone, *more, status=status)

    def test_clean_clone(self):
        source = self.describe()
        self.assertEqual((source["kind"], source["clean"], source["files"]), ("git", True, 3))
        self.assertEqual(source["commit"], self.git("rev-parse", "HEAD"))

    def test_environment_supplies_no_commit(self):
        source = self.json("source", "--source", self.clone, status=cli.PASS, env={"GIT_COMMIT": "0" * 40, "CI_COMMIT_SHA": "0" * 40})
        self.assertEqual(source["commit"], self.git("rev-parse", "HEAD"))

    def test_environment_points_to_no_other_repository(self):
        commit = self.git("rev-parse", "HEAD")
        other = self.scratch / "other"
        subprocess.run(["cp", "-r", self.clone, other], check=True)
        (self.clone / "src/a.c").write_text("int c;\n")
        self.commit("code")
        for env in ({"GIT_DIR": str(other / ".git")}, {"GIT_DIR": str(other / ".git"), "GIT_WORK_TREE": str(other)},
                    {"GIT_INDEX_FILE": str(other / ".git/index")}):
            source = self.json("source", "--source", self.clone, status=cli.PASS, env=env)
            self.assertEqual(source["commit"], self.git("rev-parse", "HEAD"))
            again = self.json("source", "--source", self.clone, "--commit", "HEAD", status=cli.PASS, env=env)
            self.assertEqual(again["sha256"], source["sha256"])
        self.assertNotEqual(commit, self.git("rev-parse", "HEAD"))

    def test_changes_that_git_was_told_to_hide(self):
        for mark, back, tag in (("--assume-unchanged", "--no-assume-unchanged", "h"), ("--skip-worktree", "--no-skip-worktree", "S")):
            (self.clone / "src/a.c").write_text("int b;\n")
            self.git("update-index", mark, "src/a.c")
            self.assertEqual(self.describe(cli.REFUSED)["changes"], [f"{tag} src/a.c"])
            self.git("update-index", back, "src/a.c")
            self.git("checkout", "-q", "src/a.c")
        (self.clone / ".git/info").mkdir(exist_ok=True)
        (self.clone / ".git/info/exclude").write_text("/src/hidden.c\n/notes\n")
        (self.clone / "notes").write_text("outside of what qualifies\n")
        self.assertTrue(self.describe()["clean"])
        (self.clone / "src/hidden.c").write_text("int hidden;\n")
        self.assertEqual(self.describe(cli.REFUSED)["changes"], ["?? src/hidden.c"])

    def test_list_of_ignored_files_that_no_commit_has(self):
        """It may ignore itself, and then git status shows neither it nor what it hides."""
        for folder in ("src", "src/more/deep", "golden"):
            hidden = self.clone / folder
            hidden.mkdir(parents=True, exist_ok=True)
            (hidden / ".gitignore").write_text("/hidden.c\n/.gitignore\n")
            (hidden / "hidden.c").write_text("int hidden;\n")
            self.assertEqual(self.git("status", "--porcelain"), "")
            self.assertEqual(self.describe(cli.REFUSED)["changes"], [f"?? {folder}/.gitignore"])
            (hidden / ".gitignore").unlink()
            self.assertEqual(self.git("status", "--porcelain").split()[0], "??")
            (hidden / "hidden.c").unlink()
            self.assertTrue(self.describe()["clean"])

    def test_change_and_untracked_file_refuse(self):
        (self.clone / "src/a.c").write_text("int b;\n")
        (self.clone / "new").write_text("")
        source = self.describe(cli.REFUSED)
        self.assertEqual(source["changes"], [" M src/a.c", "?? new"])
        self.assertFalse(self.describe(cli.PASS, "--dirty")["clean"])

    def test_docs_do_not_change_the_qualifying_hash(self):
        before = self.describe()
        (self.clone / "docs/a.md").write_text("other\n")
        self.commit("docs")
        after = self.describe()
        self.assertEqual(after["qualifying_sha256"], before["qualifying_sha256"])
        self.assertNotEqual(after["sha256"], before["sha256"])

    def test_code_changes_the_qualifying_hash(self):
        before = self.describe()
        (self.clone / "src/a.c").write_text("int c;\n")
        self.commit("code")
        self.assertNotEqual(self.describe()["qualifying_sha256"], before["qualifying_sha256"])

    def test_commit_is_read_from_git_not_from_the_work_tree(self):
        first = self.describe()
        (self.clone / "src/a.c").write_text("int c;\n")
        self.commit("code")
        again = self.json("source", "--source", self.clone, "--commit", first["commit"], status=cli.PASS)
        for name in ("commit", "files", "sha256", "qualifying_sha256"):
            self.assertEqual(again[name], first[name])

    def test_unknown_commit(self):
        self.refusal("source", "--source", self.clone, "--commit", "1" * 40, status=cli.REFUSED, says=["1" * 40, "is no commit"])

    def test_tree_without_git_needs_the_list(self):
        git = self.describe()
        self.cupel("source", "--source", self.clone, "--write", status=cli.PASS)
        subprocess.run(["rm", "-rf", self.clone / ".git"], check=True)
        listed = self.describe()
        self.assertEqual((listed["kind"], listed["commit"], listed["clean"]), ("list", git["commit"], True))
        self.assertEqual(listed["qualifying_sha256"], git["qualifying_sha256"])
        (self.clone / "src/a.c").write_text("int b;\n")
        self.assertEqual(self.describe(cli.REFUSED)["changes"], [" M src/a.c"])
        (self.clone / "SOURCE.sha256").unlink()
        self.refusal("source", "--source", self.clone, status=cli.REFUSED, says=["neither .git nor SOURCE.sha256"])

    def test_damaged_list(self):
        self.cupel("source", "--source", self.clone, "--write", status=cli.PASS)
        subprocess.run(["rm", "-rf", self.clone / ".git"], check=True)
        path = self.clone / "SOURCE.sha256"
        whole = path.read_text()
        for damaged in (whole.replace("#end\n", ""), whole.replace("files=3", "files=4"), "", whole + "x\n"):
            path.write_text(damaged)
            self.refusal("source", "--source", self.clone, status=cli.REFUSED, says=["SOURCE.sha256 is not in the documented form"])

    def test_list_is_not_written_from_an_unclean_clone(self):
        (self.clone / "new").write_text("")
        self.refusal("source", "--source", self.clone, "--write", status=cli.REFUSED, says=["is not a clean clone"])
        self.assertFalse((self.clone / "SOURCE.sha256").exists())


if __name__ == "__main__":
    cli.main()
