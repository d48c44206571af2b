// SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAN_SCHEMA "cupel-plan 1"

static bool refuse(json_error_t *error, const char *what, const char *name, const char *why)
{
    snprintf(error->text, sizeof error->text, "%s \"%.60s\" %s", what, name, why);
    return false;
}

// Names become names of files and words of commands.
static bool name_good(const char *what, const char *name, json_error_t *error)
{
    bool good = name[0] != '\0' && name[0] != '.' && name[0] != '-';
    for (const char *c = name; *c != '\0'; ++c) {
        good = good && (unsigned char)*c > ' ' && (unsigned char)*c < 127 && *c != '/' && *c != '\\' && *c != '"';
    }
    return good || refuse(error, what, name, "is no name of a file");
}

static bool suite_good(const cupel_plan_suite *suite, json_error_t *error)
{
    bool linkage = strcmp(suite->linkage, "static") == 0 || strcmp(suite->linkage, "shared") == 0;
    return name_good("suite", suite->suite, error) && name_good("test", suite->test, error) &&
           (linkage || refuse(error, "linkage", suite->linkage, "is neither static nor shared"));
}

static bool profile_good(const cupel_plan_profile *profile, json_error_t *error)
{
    static const char *const types[] = {"cpu", "gpu", "other"};
    bool known = false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        known = known || strcmp(profile->device_type, types[i]) == 0;
    }
    return name_good("profile", profile->name, error) && name_good("backend", profile->backend, error) &&
           (known || refuse(error, "device type", profile->device_type, "is unknown")) &&
           (profile->timeout_seconds > 0 || refuse(error, "profile", profile->name, "has no time limit")) &&
           (profile->built || profile->suite_count == 0 || refuse(error, "profile", profile->name, "was not built and has suites"));
}

// Members of one suite object as a jansson format; "!" refuses members that docs/formats.md does not have.
static bool suite_read(json_t *object, cupel_plan_suite *suite, json_error_t *error)
{
    return json_unpack_ex(object, error, JSON_STRICT, "{s:s, s:s, s:s, s:s}", "suite", &suite->suite, "linkage", &suite->linkage,
                          "test", &suite->test, "executable", &suite->executable) == 0;
}

static bool profile_read(json_t *object, cupel_plan_profile *profile, json_error_t *error)
{
    json_t *suites = NULL;
    int built = 0;
    json_int_t timeout = 0;
    if (json_unpack_ex(object, error, JSON_STRICT, "{s:s, s:s, s:s, s:b, s:s, s:s, s:s, s:I, s:o}", "name", &profile->name,
                       "backend", &profile->backend, "device_type", &profile->device_type, "built", &built, "reason",
                       &profile->reason, "install", &profile->install, "manifest", &profile->manifest, "timeout_seconds", &timeout,
                       "suites", &suites) != 0) {
        return false;
    }
    profile->built = built != 0;
    profile->timeout_seconds = (long)timeout;
    if (!json_is_array(suites)) {
        snprintf(error->text, sizeof error->text, "suites of profile %s is not an array", profile->name);
        return false;
    }
    profile->suite_count = json_array_size(suites);
    profile->suites = calloc(profile->suite_count + 1, sizeof *profile->suites);
    if (profile->suites == NULL) {
        snprintf(error->text, sizeof error->text, "out of memory");
        return false;
    }
    for (size_t i = 0; i < profile->suite_count; ++i) {
        if (!suite_read(json_array_get(suites, i), &profile->suites[i], error) || !suite_good(&profile->suites[i], error)) {
            return false;
        }
    }
    return profile_good(profile, error);
}

static bool plan_unpack(cupel_plan *plan, json_error_t *error)
{
    const char *schema = NULL;
    json_t *profiles = NULL;
    if (json_unpack_ex(plan->document, error, JSON_STRICT, "{s:s, s:s, s:s, s:s, s:o}", "schema", &schema, "source", &plan->source,
                       "build", &plan->build, "ctest", &plan->ctest, "profiles", &profiles) != 0) {
        return false;
    }
    if (strcmp(schema, PLAN_SCHEMA) != 0 || !json_is_array(profiles)) {
        snprintf(error->text, sizeof error->text, "its schema is not %s", PLAN_SCHEMA);
        return false;
    }
    plan->profile_count = json_array_size(profiles);
    plan->profiles = calloc(plan->profile_count + 1, sizeof *plan->profiles);
    if (plan->profiles == NULL) {
        snprintf(error->text, sizeof error->text, "out of memory");
        return false;
    }
    for (size_t i = 0; i < plan->profile_count; ++i) {
        if (!profile_read(json_array_get(profiles, i), &plan->profiles[i], error)) {
            return false;
        }
    }
    return true;
}

bool cupel_plan_read_file(const char *path, cupel_plan *plan, char message[CUPEL_PLAN_MESSAGE])
{
    json_error_t error = {0};
    *plan = (cupel_plan){0};
    plan->document = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (plan->document != NULL && plan_unpack(plan, &error)) {
        return true;
    }
    snprintf(message, CUPEL_PLAN_MESSAGE,
             "the build plan %.200s cannot be used (%.160s); configure the build tree again or name it with --tree.", path,
             error.text);
    cupel_plan_free(plan);
    return false;
}

bool cupel_plan_read(const char *tree, cupel_plan *plan, char message[CUPEL_PLAN_MESSAGE])
{
    char path[4096];
    *plan = (cupel_plan){0};
    if (snprintf(path, sizeof path, "%s/cupel/plan.json", tree) >= (int)sizeof path) {
        snprintf(message, CUPEL_PLAN_MESSAGE, "the build tree's path is too long; name a shorter one with --tree.");
        return false;
    }
    return cupel_plan_read_file(path, plan, message);
}

void cupel_plan_free(cupel_plan *plan)
{
    for (size_t i = 0; plan->profiles != NULL && i < plan->profile_count; ++i) {
        free(plan->profiles[i].suites);
    }
    free(plan->profiles);
    json_decref(plan->document);
    *plan = (cupel_plan){0};
}

const cupel_plan_profile *cupel_plan_find(const cupel_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->profile_count; ++i) {
        if (strcmp(plan->profiles[i].name, name) == 0) {
            return &plan->profiles[i];
        }
    }
    return NULL;
}
