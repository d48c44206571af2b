// SPDX-License-Identifier: Apache-2.0
// main of every suite.
//
//   suite-<suite>-<backend> --profile P --tree BUILD --test NAME [--timeout S]   one test of a profile, called by ctest
//   suite-<suite>-<backend> --case ID [--device SELECTOR]                        one case while developing: no ledger, no receipt
//   suite-<suite>-<backend> --list                                               case ids, one a line
//
// Exit status: 0 every case passed, 1 anything else, 64 usage.
#include "case_table.h"
#include "device_select.h"
#include "environment.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_USAGE 64

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER 1
#endif
#ifdef HAS_ADDRESS_SANITIZER
// Suites ask for more memory than there is, to see it refused: the sanitizer's allocator must then return null, as malloc does. Its
// runtime looks this name up.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
#endif

typedef struct option_word {
    const char *name;
    const char **value;
} option_word;

static bool read_timeout(const char *text, long *seconds)
{
    char *end = NULL;
    if (text == NULL) {
        return true;
    }
    *seconds = strtol(text, &end, 10);
    return end != text && *end == '\0' && *seconds > 0 && *seconds <= 86400;
}

// Profile and test become names of files.
static bool is_file_name(const char *text)
{
    return text == NULL ||
           (text[0] != '\0' && text[0] != '.' && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789._-") == strlen(text));
}

// False with a sentence on stderr.
static bool read_options(int count, char **words, cupel_options *options)
{
    const char *timeout = NULL;
    const option_word known[] = {{"--profile", &options->profile}, {"--tree", &options->tree},     {"--test", &options->test},
                                 {"--case", &options->case_id},    {"--device", &options->device}, {"--timeout", &timeout}};
    memset(options, 0, sizeof *options);
    for (int i = 1; i < count; ++i) {
        size_t k = 0;
        if (strcmp(words[i], "--list") == 0) {
            options->list = true;
            continue;
        }
        while (k < sizeof known / sizeof *known && strcmp(words[i], known[k].name) != 0) {
            ++k;
        }
        if (k == sizeof known / sizeof *known || i + 1 == count) {
            fprintf(stderr, "%s: %s\n", words[i], k == sizeof known / sizeof *known ? "unknown option" : "a value must follow");
            return false;
        }
        *known[k].value = words[++i];
    }
    if (!read_timeout(timeout, &options->timeout_seconds)) {
        fprintf(stderr, "--timeout %s: expected seconds, 1 to 86400\n", timeout);
        return false;
    }
    if (!is_file_name(options->profile) || !is_file_name(options->test)) {
        fprintf(stderr, "--profile and --test take names in [a-z0-9._-]\n");
        return false;
    }
    bool as_test = options->profile != NULL && options->tree != NULL && options->test != NULL;
    bool any_of_test = options->profile != NULL || options->tree != NULL || options->test != NULL;
    if ((as_test ? 1 : 0) + (options->case_id != NULL ? 1 : 0) + (options->list ? 1 : 0) != 1 || any_of_test != as_test) {
        fprintf(stderr, "say one of: --list; --case ID; --profile P --tree BUILD --test NAME\n");
        return false;
    }
    return true;
}

static int list_cases(void)
{
    size_t count = cupel_suite_count(&cupel_this_suite);
    for (size_t i = 0; i < count; ++i) {
        puts(cupel_suite_at(&cupel_this_suite, i)->id);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

static int run_one_case(const cupel_options *options)
{
    const cupel_case *one = cupel_suite_find(&cupel_this_suite, options->case_id);
    cupel_selected_device selected;
    cupel_ledger_writer none = {.file = -1};
    if (one == NULL) {
        fprintf(stderr, "suite %s has no case \"%s\": --list shows those it has\n", cupel_this_suite.name, options->case_id);
        return EXIT_USAGE;
    }
    json_decref(cupel_environment_scrub());
    if (!cupel_device_select(options->device, NULL, &selected)) {
        fprintf(stderr, "%s: %s\n", selected.reason, selected.detail);
        return 1;
    }
    cupel_context context = {.device = selected.device, .device_info = selected.info, .pid = getpid()};
    int status = cupel_suite_run(&context, &one, 1, cupel_this_suite.name, &none);
    if (nc_device_close(selected.device) != NC_OK) {
        fprintf(stderr, "the device does not close: %s\n", nc_last_error());
        status = 1;
    }
    return status;
}

int main(int argc, char **argv)
{
    cupel_options options;
    char reason[512];
    if (!read_options(argc, argv, &options)) {
        return EXIT_USAGE;
    }
    if (!cupel_suite_check(&cupel_this_suite, reason, sizeof reason)) {
        fprintf(stderr, "%s\n", reason);
        return 1;
    }
    if (options.list) {
        return list_cases();
    }
    if (options.case_id == NULL) {
        return cupel_suite_supervise(&options);
    }
    if (!cupel_suite_backend_check(reason, sizeof reason)) {
        fprintf(stderr, "backend-mismatch: %s\n", reason);
        return 1;
    }
    return run_one_case(&options);
}
