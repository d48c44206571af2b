// SPDX-License-Identifier: Apache-2.0
// cupel record: runs one command as a step of an attempt and keeps what it said.
#include "attempt.h"
#include "tool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct record_options {
    const char *attempt;
    const char *evidence;
    const char *lane;
    bool as_json;
} record_options;

static bool attempt_enter(const record_options *chosen, evidence_attempt *attempt)
{
    char message[EVIDENCE_MESSAGE];
    bool entered = false;
    if (chosen->attempt != NULL) {
        entered = evidence_attempt_open(chosen->attempt, attempt, message);
    } else {
        json_t *description = json_pack("{s:s}", "tool", CUPEL_VERSION);
        const char *evidence = chosen->evidence != NULL ? chosen->evidence : "evidence";
        mkdir(evidence, 0777); // when this fails for another reason than that it exists, making the attempt says so
        entered = evidence_attempt_create(evidence, EVIDENCE_PROFILE_RECORD, description, attempt, message);
        json_decref(description);
    }
    if (!entered) {
        cupel_fail(0, "record", "%s", message);
    }
    return entered;
}

static int step_record(const record_options *chosen, const char *label, char **words)
{
    evidence_attempt attempt;
    evidence_process_result result = {0};
    char message[EVIDENCE_MESSAGE];
    if (!evidence_label_is_valid(label)) {
        return cupel_fail(CUPEL_EXIT_USAGE, "record", "%s is no label; use up to 60 characters a-z, 0-9, dot, dash and underscore.",
                          label);
    }
    if (!attempt_enter(chosen, &attempt)) {
        return CUPEL_REFUSED;
    }
    const evidence_step step = {
        .label = label, .lane = chosen->lane != NULL ? chosen->lane : "main", .process = {.argv = (const char *const *)words}};
    const evidence_outcome outcome = evidence_step_run(&attempt, &step, &result, message);
    const cupel_status status = outcome == EVIDENCE_STEP_PASSED   ? CUPEL_PASS
                                : outcome == EVIDENCE_STEP_FAILED ? CUPEL_FAILED
                                                                  : CUPEL_REFUSED;
    if (chosen->as_json) {
        json_t *document = json_pack("{s:i, s:s, s:s, s:s, s:f, s:s}", "status", (int)status, "word", cupel_status_word(status),
                                     "attempt", attempt.path, "step", label, "seconds", result.seconds, "message", message);
        cupel_print_json(document);
        json_decref(document);
    } else {
        printf("%s: %s %s\n", label, cupel_status_word(status), attempt.path);
    }
    evidence_attempt_close(&attempt);
    return outcome == EVIDENCE_STEP_PASSED ? CUPEL_PASS : cupel_fail((int)status, "record", "%s", message);
}

int cupel_cmd_record(int argc, char **argv)
{
    record_options chosen = {0};
    const cupel_option options[] = {
        {"--attempt", "DIR", "add the step to this attempt; a new one is made unless given", NULL, &chosen.attempt},
        {"--evidence", "DIR", "where a new attempt is made; ./evidence unless given", NULL, &chosen.evidence},
        {"--lane", "NAME", "a failed step stops the later steps of its lane; main unless given", NULL, &chosen.lane},
        CUPEL_OPTION_JSON(&chosen.as_json),
    };
    const cupel_usage usage = {
        "record", "LABEL -- COMMAND [ARGUMENT...]", "Runs a command as a recorded step of an attempt.", CUPEL_OPTIONS(options), 2,
        -1};
    int operand_count = 0;
    const cupel_parse parse = cupel_parse_options(&usage, argc, argv, &operand_count);
    if (parse != CUPEL_PARSE_RUN) {
        return cupel_parse_exit(parse);
    }
    if (chosen.attempt != NULL && chosen.evidence != NULL) {
        return cupel_fail(CUPEL_EXIT_USAGE, "record", "--attempt and --evidence exclude each other; name one.");
    }
    argv[operand_count + 1] = NULL;
    return step_record(&chosen, argv[1], argv + 2);
}
