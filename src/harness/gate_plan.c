// SPDX-License-Identifier: Apache-2.0
// Asks ctest for its own list of tests, keeps the answer as tests.json in the run directory, and judges it.
//
// ctest writes a log below the directory that it runs in, even to list tests, and would overwrite the log of the ctest that runs
// this test. So it runs in a folder of its own, whose only test file includes the tests of the ctest that runs this one: those of
// the build tree, or of a folder that includes it and may add properties or drop tests.
#include "gate.h"

#include "ancestry.h"
#include "file.h"
#include "lint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TESTS_MAX_BYTES = 64 << 20 };

static bool text_write(const char *path, const char *text)
{
    FILE *out = fopen(path, "wx");
    bool written = out != NULL && fputs(text, out) >= 0;
    return out != NULL && fclose(out) == 0 && written;
}

// Runs `ctest --show-only=json-v1` in `folder` with standard output in a new file `output`. True when it ended with status 0.
static bool list_run(const char *ctest, const char *folder, const char *output)
{
    int status = 0;
    int file = open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    pid_t child = file < 0 ? -1 : fork();
    if (child == 0) {
        dup2(file, STDOUT_FILENO);
        execlp(ctest, ctest, "--test-dir", folder, "--show-only=json-v1", (char *)NULL);
        _exit(127);
    }
    if (file >= 0) {
        close(file);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Removes what the listing ctest left in its folder.
static void folder_remove(const char *folder)
{
    static const char *const inside[] = {"CTestTestfile.cmake", "Testing/Temporary/LastTest.log", "Testing/Temporary", "Testing",
                                         ""};
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; ++i) {
        char *path = cupel_path(folder, inside[i]);
        if (unlink(path) != 0) {
            rmdir(path);
        }
        free(path);
    }
}

static bool tests_list(const cupel_plan *plan, const char *tree, const char *tested, const char *output)
{
    char text[8192];
    char *home = cupel_path(tree, "cupel");
    char *folder = cupel_path(home, "list-XXXXXX");
    bool listed = false;
    if (mkdtemp(folder) != NULL) {
        char *file = cupel_path(folder, "CTestTestfile.cmake");
        snprintf(text, sizeof text, "subdirs([==[%s]==])\n", tested);
        listed = text_write(file, text) && list_run(plan->ctest, folder, output);
        free(file);
        folder_remove(folder);
    }
    free(folder);
    free(home);
    return listed;
}

static void tests_judge(const cupel_plan_profile *profile, const char *build, const char *path, bool listed,
                        cupel_findings *findings)
{
    cupel_file tests;
    const char *error = listed ? cupel_file_read(path, TESTS_MAX_BYTES, &tests) : "ctest did not list its tests";
    if (error != NULL) {
        cupel_findings_add(findings, CUPEL_REASON_LINT_UNREADABLE, path, "%s", error);
        return;
    }
    cupel_lint_profile(profile, build, tests.bytes, tests.length, findings);
    cupel_file_free(&tests);
}

// Judges what the ctest above this process was started for: its preset, its tests, and the files that drop some.
static void started_judge(const cupel_plan *plan, const cupel_plan_profile *profile, const char *tree, const cupel_gate_run *run,
                          cupel_findings *findings)
{
    char tested[4096];
    char home[4096];
    cupel_ancestor ctest;
    cupel_command command;
    if (!cupel_ancestor_find_ctest(&ctest) || !cupel_command_read(ctest.pid, &command)) {
        cupel_findings_add(findings, CUPEL_REASON_LINT_UNREADABLE, "", "the command line of ctest cannot be read");
        return;
    }
    cupel_gate_preset_judge(plan->source, command.count, command.words, findings);
    cupel_command_free(&command);
    if (!cupel_ancestor_ctest_folder(ctest.pid, tested, sizeof tested) || realpath(tree, home) == NULL) {
        cupel_findings_add(findings, CUPEL_REASON_LINT_UNREADABLE, "", "the folder that ctest runs in cannot be told: %s",
                           strerror(errno));
        return;
    }
    char *path = cupel_path(run->directory, "tests.json");
    tests_judge(profile, plan->build, path, tests_list(plan, tree, tested, path), findings);
    free(path);
    cupel_lint_custom_files(tree, findings);
    if (strcmp(tested, home) != 0) {
        cupel_lint_custom_files(tested, findings);
    }
}

void cupel_gate_lint(const cupel_gate_options *options, const cupel_gate_run *run, cupel_findings *findings)
{
    char message[CUPEL_PLAN_MESSAGE];
    cupel_plan plan;
    if (!cupel_plan_read(options->tree, &plan, message)) {
        cupel_findings_add(findings, CUPEL_REASON_PLAN_UNREADABLE, "", "%s", message);
        return;
    }
    const cupel_plan_profile *profile = cupel_plan_find(&plan, options->profile);
    if (profile == NULL) {
        cupel_findings_add(findings, CUPEL_REASON_PROFILE_UNKNOWN, "", "the build plan of %s has no profile %s", options->tree,
                           options->profile);
    } else {
        started_judge(&plan, profile, options->tree, run, findings);
    }
    cupel_plan_free(&plan);
}
