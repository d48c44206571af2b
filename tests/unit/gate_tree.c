// SPDX-License-Identifier: Apache-2.0
#include "gate_tree.h"

#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Links `name` in the tree to `target`.
static void make_link(const char *tree, const char *name, const char *target)
{
    char path[GATE_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", tree, name);
    unlink(path);
    assert_int_equal(symlink(target, path), 0);
}

FILE *gate_tree_open(const char *tree, const char *name)
{
    char path[GATE_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", tree, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

// The plan of one profile without suites.
static void make_plan(const char *tree, const char *backend, const char *type)
{
    char folder[GATE_PATH + 16];
    snprintf(folder, sizeof folder, "%s/cupel", tree);
    assert_true(mkdir(folder, 0755) == 0 || errno == EEXIST);
    FILE *file = gate_tree_open(tree, "cupel/plan.json");
    fprintf(file,
            "{\"schema\":\"cupel-plan 1\",\"source\":\"%s\",\"build\":\"%s\",\"ctest\":\"" CTEST
            "\",\"profiles\":[{\"name\":\"unit\","
            "\"backend\":\"%s\",\"device_type\":\"%s\",\"built\":true,\"reason\":\"\",\"install\":\"\",\"manifest\":\"/none\","
            "\"timeout_seconds\":60,\"suites\":[]}]}\n",
            tree, tree, backend, type);
    assert_int_equal(fclose(file), 0);
}

void gate_tree_make_with(char tree[GATE_PATH], const char *name, const char *gate, const char *type, int count, const char *extra)
{
    const char *backend = strstr(gate, "absent") != NULL ? "absent" : "cpu";
    char program[GATE_PATH];
    char link[64];
    snprintf(tree, GATE_PATH, "%s/%s-%ld", UNIT_BINARY_DIR, name, (long)getpid());
    assert_true(mkdir(tree, 0755) == 0 || errno == EEXIST);
    snprintf(program, sizeof program, "%s/%s", BINARIES, gate);
    snprintf(link, sizeof link, "device-gate-%s", backend);
    make_link(tree, link, program);
    make_link(tree, "cupel-passes", "/bin/true");
    make_plan(tree, backend, type);
    FILE *file = gate_tree_open(tree, "CTestTestfile.cmake");
    for (int i = 0; i < count; ++i) {
        const char *number = i == 0 ? "" : "2";
        fprintf(file, "add_test(unit.device%s \"%s/%s\" --profile unit --tree \"%s\" --device-type %s)\n", number, tree, link, tree,
                type);
        fprintf(file, "set_tests_properties(unit.device%s PROPERTIES LABELS unit TIMEOUT 60 RESOURCE_LOCK device", number);
        fprintf(file, " FIXTURES_SETUP cupel.unit)\n");
    }
    fprintf(file, "add_test(unit.verdict \"%s/cupel-passes\" verdict --profile unit --tree \"%s\")\n", tree, tree);
    fprintf(file, "set_tests_properties(unit.verdict PROPERTIES LABELS unit TIMEOUT 60 FIXTURES_CLEANUP cupel.unit)\n%s\n", extra);
    assert_int_equal(fclose(file), 0);
}

void gate_tree_make(char tree[GATE_PATH], const char *name, const char *gate, const char *type, int count)
{
    gate_tree_make_with(tree, name, gate, type, count, "");
}

void gate_tree_find_run(const char *folder, gate_outcome *result)
{
    DIR *directory = opendir(folder);
    result->directory[0] = '\0';
    if (directory == NULL) {
        return;
    }
    char newest[256] = "";
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (entry->d_name[0] == '2' && strcmp(entry->d_name, newest) > 0) {
            snprintf(newest, sizeof newest, "%s", entry->d_name);
        }
    }
    closedir(directory);
    if (newest[0] != '\0') {
        snprintf(result->directory, sizeof result->directory, "%s/%s", folder, newest);
    }
}

void gate_tree_ctest(const char *tree, gate_outcome *result, const char *option, const char *value)
{
    int ends[2];
    int status = 0;
    size_t used = 0;
    ssize_t got = 0;
    char folder[GATE_PATH + 16];
    char *words[] = {CTEST, "--test-dir", (char *)(uintptr_t)tree, "-V", (char *)(uintptr_t)option, (char *)(uintptr_t)value, NULL};
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(words[0], words);
        _exit(126);
    }
    close(ends[1]);
    do {
        got = read(ends[0], result->output + used, sizeof result->output - 1 - used);
        used += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    result->output[used] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    result->status = WEXITSTATUS(status);
    snprintf(folder, sizeof folder, "%s/cupel/unit", tree);
    gate_tree_find_run(folder, result);
}

json_t *gate_tree_record(const char *directory, const char *name)
{
    char path[GATE_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
}

const char *gate_tree_text(const json_t *record, const char *name)
{
    const char *value = json_string_value(json_object_get(record, name));
    return value == NULL ? "" : value;
}
