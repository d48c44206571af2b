// SPDX-License-Identifier: Apache-2.0
// cupel run: qualifies profiles. Checks the plan, drives ctest, prints each verdict and where its receipt lies.
#include "evidence_file.h"
#include "procedure.h"
#include "run_state.h"
#include "source.h"
#include "tool.h"
#include "tree.h"
#include "tree_lock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REASONS_SHOWN = 5 }; // findings of one code that are printed in full

typedef struct run_options {
    const char *tree;
    const char *device;
    const char *evidence;
    const char *junit;
    const char *steps;
    cupel_more_steps more; // read from `steps`
    bool fresh_build;
    bool keep_build;
    bool dirty;
    bool as_json;
} run_options;

// The evidence folder as an absolute path, made when absent. A folder of the clone that no list of ignored files names would itself
// be a change of the source. False after a sentence.
static bool evidence_prepare(const char *named, const char *source, bool dirty, char path[PATH_MAX])
{
    const bool made = mkdir(named, 0777) == 0;
    if (!made && errno != EEXIST) {
        cupel_fail(0, "run", "the evidence directory %s cannot be made (%s); name one that can be written with --evidence.", named,
                   strerror(errno));
        return false;
    }
    if (realpath(named, path) == NULL || access(path, W_OK | X_OK) != 0) {
        cupel_fail(0, "run", "the evidence directory %s cannot be written (%s); make it writable or name another with --evidence.",
                   named, strerror(errno));
        return false;
    }
    if (!dirty && !evidence_source_bears(source, path)) {
        cupel_fail(0, "run",
                   "the evidence directory %s lies in the clone %s and .gitignore does not name it, so it would be a change of the "
                   "source; name one outside of the clone with --evidence, or one that .gitignore names.",
                   named, source);
        if (made) {
            rmdir(path);
        }
        return false;
    }
    return true;
}

// A report that cannot be written is found before anything runs: a name that is no file, or a folder that takes none. False after a
// sentence.
static bool junit_prepare(const char *path)
{
    char folder[PATH_MAX];
    char name[64];
    struct stat status;
    const char *slash = strrchr(path, '/');
    const int length = slash == NULL || slash == path ? 1 : (int)(slash - path);
    snprintf(name, sizeof name, ".cupel-junit-%ld", (long)getpid());
    errno = EISDIR;
    bool good = stat(path, &status) != 0 || S_ISREG(status.st_mode);
    good = good && evidence_path(folder, "%.*s", length, slash == NULL ? "." : path) &&
           evidence_file_write(folder, name, "", 0, EVIDENCE_NEW);
    const int error = errno;
    if (good && evidence_path(folder, "%.*s/%s", length, slash == NULL ? "." : path, name)) {
        unlink(folder);
    }
    if (!good) {
        cupel_fail(0, "run", "the report %s cannot be written (%s); name another file with --junit.", path, strerror(error));
    }
    return good;
}

static bool profiles_find(const cupel_plan *plan, int count, char **names, const cupel_plan_profile **profiles)
{
    for (int i = 0; i < count; ++i) {
        profiles[i] = cupel_plan_find(plan, names[i]);
        if (profiles[i] == NULL) {
            cupel_fail(0, "run", "the plan of %s has no profile %s; cupel list shows those it has.", plan->build, names[i]);
            return false;
        }
        for (int j = 0; j < i; ++j) {
            if (profiles[i] == profiles[j]) {
                cupel_fail(0, "run", "profile %s was named twice; name it once.", names[i]);
                return false;
            }
        }
    }
    return true;
}

// The commands to record beside the profiles, each of a profile that is run. False after a sentence.
static bool steps_prepare(run_options *options, const cupel_plan_profile *const *profiles, int count)
{
    char message[EVIDENCE_MESSAGE];
    if (options->steps == NULL) {
        return true;
    }
    if (!cupel_more_steps_read(options->steps, &options->more, message)) {
        cupel_fail(0, "run", "%s", message);
        return false;
    }
    for (size_t i = 0; i < options->more.count; ++i) {
        const cupel_more_step *step = &options->more.items[i];
        bool known = false;
        for (int p = 0; p < count; ++p) {
            known = known || strcmp(profiles[p]->name, step->profile) == 0;
        }
        if (!known) {
            cupel_fail(0, "run",
                       "step %s of %s is of profile %s, which this command does not run; name the profile or drop the step.",
                       step->label, options->steps, step->profile);
            return false;
        }
    }
    return true;
}

// Takes the tree for this command. False after a sentence that names who has it: another cupel run, or a ctest that somebody
// started and whose run of one of these profiles is open.
static bool tree_take(const cupel_plan *plan, int count, char **names, int *lock)
{
    char holder[512];
    if (!cupel_tree_lock(plan->build, names, count, lock, holder, sizeof holder)) {
        cupel_fail(0, "run", "another cupel run %s is using the build tree %s; wait for its end, or run in another tree.", holder,
                   plan->build);
        return false;
    }
    for (int i = 0; i < count; ++i) {
        cupel_run_state state;
        if (cupel_run_state_open(plan, names[i], &state) && cupel_run_state_is_alive(&state)) {
            cupel_fail(0, "run",
                       "ctest, process %lld, is running %s in the build tree %s (%s); wait for its end, or run in another tree.",
                       (long long)state.ctest_pid, names[i], plan->build, state.directory);
            return false;
        }
    }
    return true;
}

static void receipt_path(const cupel_drive_result *result, char path[PATH_MAX])
{
    path[0] = '\0';
    if (result->directory[0] != '\0' && (!evidence_path(path, "%s/receipt.json", result->directory) || access(path, R_OK) != 0)) {
        path[0] = '\0';
    }
}

static void result_print(const cupel_drive_result *result)
{
    char receipt[PATH_MAX];
    receipt_path(result, receipt);
    cupel_verdict_print(&result->verdict, stdout);
    if (receipt[0] != '\0') {
        printf("receipt: %s\n", receipt);
    }
    fflush(stdout);
}

static json_t *result_to_json(const cupel_drive_result *result)
{
    char receipt[PATH_MAX];
    receipt_path(result, receipt);
    json_t *verdict = cupel_verdict_to_json(&result->verdict);
    if (result->status == CUPEL_REFUSED || result->status == CUPEL_NOT_RUN) {
        json_object_del(verdict, "counts"); // of what is not believed or did not run; the text has none either
    }
    json_t *where = receipt[0] != '\0' ? json_string(receipt) : json_null();
    return json_pack("{s:s, s:i, s:s, s:o, s:f, s:f, s:o}", "profile", result->verdict.profile, "status", (int)result->status,
                     "word", cupel_status_word(result->status), "receipt", where, "seconds", result->seconds, "processor_seconds",
                     result->processor_seconds, "verdict", verdict);
}

// A name for this command, which its attempts share: 32 hexadecimal digits.
static void session_name(char session[33])
{
    unsigned char bytes[16] = {0};
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        memset(bytes, 0, sizeof bytes);
    }
    for (size_t i = 0; i < sizeof bytes; ++i) {
        snprintf(session + 2 * i, 3, "%02x", (unsigned int)bytes[i]);
    }
}

// Runs every profile, whatever the earlier ones gave.
static void profiles_run(const cupel_plan *plan, const cupel_plan_profile *const *profiles, size_t count,
                         const run_options *options, const char *evidence, cupel_drive_result *results)
{
    char session[33] = "";
    json_t *together = json_array();
    for (size_t i = 0; i < count; ++i) {
        json_array_append_new(together, json_string(profiles[i]->name));
    }
    session_name(session);
    for (size_t i = 0; i < count; ++i) {
        const cupel_drive_request drive = {.plan = plan, .profile = profiles[i], .device = options->device};
        if (evidence != NULL) {
            const cupel_procedure_request request = {.drive = drive,
                                                     .evidence = evidence,
                                                     .together = together,
                                                     .session = session,
                                                     .more = &options->more,
                                                     .fresh_build = options->fresh_build,
                                                     .keep_build = options->keep_build,
                                                     .dirty = options->dirty};
            cupel_procedure(&request, &results[i]);
        } else {
            cupel_drive(&drive, &results[i]);
        }
        if (!options->as_json) {
            result_print(&results[i]);
        }
    }
    json_decref(together);
}

// The merged report of all profiles. False after a sentence.
static bool junit_write(const char *path, const cupel_drive_result *results, size_t count)
{
    const cupel_verdict **verdicts = calloc(count, sizeof *verdicts);
    for (size_t i = 0; verdicts != NULL && i < count; ++i) {
        verdicts[i] = &results[i].verdict;
    }
    const bool written = verdicts != NULL && cupel_verdicts_write_junit(verdicts, count, path);
    if (!written) {
        cupel_fail(0, "run", "the report %s cannot be written (%s); name another file with --junit.", path, strerror(errno));
    }
    free(verdicts);
    return written;
}

static void results_print_json(const cupel_drive_result *results, size_t count, cupel_status status)
{
    json_t *profiles = json_array();
    for (size_t i = 0; i < count; ++i) {
        json_array_append_new(profiles, result_to_json(&results[i]));
    }
    json_t *document = json_pack("{s:i, s:s, s:o}", "status", (int)status, "word", cupel_status_word(status), "profiles", profiles);
    cupel_print_json(document);
    json_decref(document);
}

// Returns the joined status.
static int profiles_qualify(const cupel_plan *plan, const cupel_plan_profile *const *profiles, size_t count,
                            const run_options *options, const char *evidence)
{
    cupel_status status = CUPEL_PASS;
    cupel_drive_result *results = calloc(count, sizeof *results);
    if (results == NULL) {
        return cupel_fail(CUPEL_REFUSED, "run", "memory ran out; free some and try again.");
    }
    profiles_run(plan, profiles, count, options, evidence, results);
    for (size_t i = 0; i < count; ++i) {
        status = cupel_status_join(status, results[i].status);
    }
    if (options->junit != NULL && !junit_write(options->junit, results, count)) {
        status = CUPEL_REFUSED;
    }
    if (options->as_json) {
        results_print_json(results, count, status);
    }
    for (size_t i = 0; i < count; ++i) {
        cupel_verdict_free(&results[i].verdict);
    }
    free(results);
    return (int)status;
}

int cupel_cmd_run(int argc, char **argv)
{
    run_options chosen = {0};
    const cupel_option options[] = {
        CUPEL_OPTION_TREE(&chosen.tree),
        {"--device", "INDEX|UUID|NAME", "the device to qualify, instead of the only one", NULL, &chosen.device},
        {"--evidence", "DIR", "record an attempt for each profile in DIR", NULL, &chosen.evidence},
        {"--fresh-build", NULL, "with --evidence: build anew in a fresh directory first", &chosen.fresh_build, NULL},
        {"--keep-build", NULL, "with --evidence: keep executables and libraries in the attempt", &chosen.keep_build, NULL},
        {"--steps", "FILE", "with --evidence: record these commands too, lines PROFILE<tab>LABEL<tab>COMMAND", NULL, &chosen.steps},
        {"--dirty", NULL, "with --evidence: accept a source with changes; the receipt can never be approved", &chosen.dirty, NULL},
        {"--junit", "FILE", "write the merged JUnit report to FILE", NULL, &chosen.junit},
        CUPEL_OPTION_JSON(&chosen.as_json),
    };
    const cupel_usage usage = {
        "run", "PROFILE...", "Runs profiles through ctest and prints the verdict of each.", CUPEL_OPTIONS(options), 1, -1};
    int operand_count = 0;
    const cupel_parse parse = cupel_parse_options(&usage, argc, argv, &operand_count);
    if (parse != CUPEL_PARSE_RUN) {
        return cupel_parse_exit(parse);
    }
    if (chosen.evidence == NULL && (chosen.dirty || chosen.fresh_build || chosen.keep_build || chosen.steps != NULL)) {
        return cupel_fail(CUPEL_EXIT_USAGE, "run", "--dirty, --fresh-build, --keep-build and --steps need --evidence DIR.");
    }
    cupel_plan plan;
    if (!cupel_tree_open("run", chosen.tree, &plan)) {
        return CUPEL_REFUSED;
    }
    char evidence[PATH_MAX];
    int lock = -1;
    int status = CUPEL_REFUSED;
    const cupel_plan_profile **profiles = calloc((size_t)operand_count, sizeof *profiles);
    if (profiles == NULL) {
        cupel_fail(0, "run", "memory ran out; free some and try again.");
    } else if (!profiles_find(&plan, operand_count, argv + 1, profiles) || !steps_prepare(&chosen, profiles, operand_count)) {
        status = CUPEL_EXIT_USAGE;
    } else if (!chosen.fresh_build && !tree_take(&plan, operand_count, argv + 1, &lock)) {
        status = CUPEL_REFUSED;
    } else if ((chosen.junit == NULL || junit_prepare(chosen.junit)) &&
               (chosen.evidence == NULL || evidence_prepare(chosen.evidence, plan.source, chosen.dirty, evidence))) {
        status = profiles_qualify(&plan, profiles, (size_t)operand_count, &chosen, chosen.evidence != NULL ? evidence : NULL);
    }
    cupel_tree_unlock(lock);
    cupel_more_steps_free(&chosen.more);
    free(profiles);
    cupel_plan_free(&plan);
    return status;
}
