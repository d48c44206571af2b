// SPDX-License-Identifier: Apache-2.0
// refusals-lint BUILD LIST: what the lint says of the tests of a plain CMake project (LIST: ctest --show-only=json-v1), taken as if
// they were the suites of a profile "unit" whose plan names other programs. Prints one code a line.
#include "file.h"
#include "lint.h"

#include <stdlib.h>
#include <string.h>

enum { SUITES_MOST = 16, LIST_MAX_BYTES = 16 << 20, EXIT_USAGE = 64 };

// Every test of the list that has a name becomes a suite.
static size_t suites_take(const json_t *list, cupel_plan_suite *suites)
{
    size_t count = 0;
    size_t i;
    json_t *test;
    json_array_foreach(json_object_get(list, "tests"), i, test)
    {
        const char *name = json_string_value(json_object_get(test, "name"));
        if (name != NULL && count < SUITES_MOST) {
            suites[count++] = (cupel_plan_suite){.suite = name, .linkage = "static", .test = name, .executable = "/plan/suite"};
        }
    }
    return count;
}

int main(int argc, char **argv)
{
    cupel_file file;
    cupel_plan_suite suites[SUITES_MOST];
    cupel_findings findings = {0};
    if (argc != 3) {
        fprintf(stderr, "usage: refusals-lint BUILD LIST\n");
        return EXIT_USAGE;
    }
    const char *error = cupel_file_read(argv[2], LIST_MAX_BYTES, &file);
    if (error != NULL) {
        fprintf(stderr, "%s: %s\n", argv[2], error);
        return 1;
    }
    json_t *list = json_loadb(file.bytes, file.length, 0, NULL);
    const cupel_plan_profile profile = {.name = "unit",
                                        .backend = "cpu",
                                        .device_type = "cpu",
                                        .built = true,
                                        .suites = suites,
                                        .suite_count = suites_take(list, suites)};
    cupel_lint_profile(&profile, NULL, file.bytes, file.length, &findings);
    cupel_lint_custom_files(argv[1], &findings);
    for (size_t i = 0; i < findings.count; ++i) {
        printf("%s\n", cupel_reason_get(findings.items[i].reason)->code);
    }
    cupel_findings_free(&findings);
    json_decref(list);
    cupel_file_free(&file);
    return 0;
}
