// SPDX-License-Identifier: Apache-2.0
#include "sanitize_find.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { GROUPS = 7, VALUES = 3, HINT_MAX = 32 };

// What else must hold of a match.
typedef enum frame_check {
    ANY,
    NO_RATIO, // not "process 1 of 8"
    NO_INDEX, // a program's "name[12]:", not an element of an array
    TELLING,  // has a digit, a dot or a dash
    NO_PROSE, // not an ordinary word
    PRIVATE,  // not a host that everybody knows
} frame_check;

// A tool's own wording around values: a POSIX extended expression for one line, and which groups of it are values.
typedef struct frame {
    const char *hints; // small letters; a line without one of them ("|" between) cannot match
    const char *expression;
    struct {
        evidence_kind kind;
        size_t group; // 0 with no kind before it: the list ends; EVIDENCE_PATH may have the whole match
        frame_check check;
    } values[VALUES];
    size_t count;
} frame;

#define BEFORE "(^|[^A-Za-z0-9])"
#define ACCOUNT "([A-Za-z_][A-Za-z0-9._-]*)"
#define HOST "([A-Za-z0-9][A-Za-z0-9.-]*)"
#define ONE(kind, group, check) {{kind, group, check}}, 1
#define TWO(kind, group, check, kind2, group2, check2) {{kind, group, check}, {kind2, group2, check2}}, 2
#define THREE(kind, group, check, kind2, group2, check2, kind3, group3, check3)                                                    \
    {{kind, group, check}, {kind2, group2, check2}, {kind3, group3, check3}}, 3

static const frame FRAMES[] = {
    // process and thread ids: valgrind and the compilers' sanitizers, debuggers, tracers, shells, the kernel's and services' logs
    {"==|--|**", "(^|[^=*A-Za-z0-9-])(==|--|[*][*])([0-9]+)(==|--|[*][*])([A-Z ]|$)", ONE(EVIDENCE_PID, 3, ANY)},
    {"process", BEFORE "process(es)?( id)?[ (:=#]+([0-9]+)", ONE(EVIDENCE_PID, 4, NO_RATIO)},
    {"id", BEFORE "(p|t|pp|sp|tg|lw|pg|ns)id[ =:#([]*([0-9]+)", ONE(EVIDENCE_PID, 3, ANY)},
    {"lwp", BEFORE "LWP[ :=]+([0-9]+)", ONE(EVIDENCE_PID, 2, ANY)},
    {"/proc/", "/proc/([0-9]+)", ONE(EVIDENCE_PID, 1, ANY)},
    {"/task/", "/task/([0-9]+)", ONE(EVIDENCE_PID, 1, ANY)},
    {"kill(|wait|pgid(|ptrace(|pidfd_open(|affinity(|prlimit64(|process_vm",
     BEFORE "(t?g?kill|wait4|waitid|waitpid|[gs]etpgid|ptrace|pidfd_open|sched_[sg]etaffinity|prlimit64|process_vm_(read|write)v)"
            "[(]([0-9]+)(, ([0-9]+), SIG)?",
     TWO(EVIDENCE_PID, 4, ANY, EVIDENCE_PID, 6, ANY)},
    {") = |) =",
     "(wait4|waitid|waitpid|clone3?|v?fork|gettid|getp?pid|getpgrp|setsid|set_tid_address)( resumed)?[(>].*[)] += ([0-9]+)",
     ONE(EVIDENCE_PID, 3, ANY)},
    {"line ", "line [0-9]+: +([0-9]+) +(segm|abor|kill|term|bus |ille|floa|hang|quit|trac)", ONE(EVIDENCE_PID, 1, ANY)},
    {"[", "^ *\\[[0-9]+\\][+-]? +([0-9]{2,})( +(done|exit|segm|abor|kill|runn|term).*)?$", ONE(EVIDENCE_PID, 1, ANY)},
    {"core.", BEFORE "(vg)?core[.]([0-9]{3,})($|[^0-9.])", ONE(EVIDENCE_PID, 3, ANY)},
    {"]:", "(^|[ /])([A-Za-z][A-Za-z0-9_.-]*)([(][a-z_-]+[)])?\\[([0-9]+)\\]:", ONE(EVIDENCE_PID, 4, NO_INDEX)},
    {"] ***|] pmix|] mca|] orte|] prte", "\\[" HOST ":([0-9]+)\\] ", TWO(EVIDENCE_HOST, 1, ANY, EVIDENCE_PID, 2, ANY)},
    {"nccl", "^" HOST ":([0-9]+):([0-9]+) \\[[0-9]+\\] NCCL",
     THREE(EVIDENCE_HOST, 1, ANY, EVIDENCE_PID, 2, ANY, EVIDENCE_PID, 3, ANY)},
    {":", "^[IWEF][0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]+ +([0-9]+) ", ONE(EVIDENCE_PID, 1, ANY)},
    {"mib", "^[|] +[0-9]+ +[0-9NA/]+ +[0-9NA/]+ +([0-9]+) +[CGM+]+ ", ONE(EVIDENCE_PID, 1, ANY)},
    {"mib", "^([0-9]+), .*MiB", ONE(EVIDENCE_PID, 1, ANY)},
    // jobs
    {"job", "(batch job|job allocation|allocation|job) ([0-9]{3,})", ONE(EVIDENCE_JOB, 2, NO_RATIO)},
    {" on ", "(JOB|STEP) ([0-9]+)[0-9.]* ON " HOST, TWO(EVIDENCE_JOB, 2, ANY, EVIDENCE_HOST, 3, ANY)},
    // hosts
    {"linux |darwin |freebsd ", BEFORE "(Linux|Darwin|FreeBSD) +" HOST " +[0-9]+[.][0-9]+[.][0-9]",
     ONE(EVIDENCE_HOST, 3, NO_PROSE)},
    {":", "^[A-Z][a-z]{2} [ 0-9]?[0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} " HOST " [^ ]+: ", ONE(EVIDENCE_HOST, 1, ANY)},
    {"]:", "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.+Z-]+ " HOST " [^ ]+: ", ONE(EVIDENCE_HOST, 1, ANY)},
    {"@", "(^|[ (\"'[])" ACCOUNT "@" HOST "(:[~/]|:?~?[$#] | [^] ]+\\][$#]|'s password|: permission|[)])",
     TWO(EVIDENCE_ACCOUNT, 2, PRIVATE, EVIDENCE_HOST, 3, PRIVATE)},
    {"ssh |scp |sftp |rsync ", BEFORE "(ssh|scp|sftp|rsync) (.* )?" ACCOUNT "@" HOST,
     TWO(EVIDENCE_ACCOUNT, 4, PRIVATE, EVIDENCE_HOST, 5, PRIVATE)},
    {"ssh-|ecdsa-", "(ssh|ecdsa)-[a-z0-9-]+ +[^ ]+ +" ACCOUNT "@" HOST,
     TWO(EVIDENCE_ACCOUNT, 2, PRIVATE, EVIDENCE_HOST, 3, PRIVATE)},
    {"ssh ", BEFORE "ssh +(-[^ ]+ +)*" HOST "( |$)", ONE(EVIDENCE_HOST, 3, TELLING)},
    {"to host|resolve host|authenticity|permanently|connection |connected|on host|on node|srun",
     "(connect to host|resolve host|resolve hostname|authenticity of host|permanently added):? '?" HOST,
     ONE(EVIDENCE_HOST, 2, PRIVATE)},
    {"connection |connected |on host|on node", "(connection (to|from|by|closed by)|connected to|on host|on node):? '?" HOST,
     ONE(EVIDENCE_HOST, 3, TELLING)},
    {"srun: ", "srun: error: " HOST ": task", ONE(EVIDENCE_HOST, 1, ANY)},
    {"://", "://(([^/@: \"']+)(:([^/@ \"']+))?@)?" HOST,
     THREE(EVIDENCE_SECRET, 4, ANY, EVIDENCE_ACCOUNT, 2, PRIVATE, EVIDENCE_HOST, 5, PRIVATE)},
    {"@", "(^|[^A-Za-z0-9._/:-])" ACCOUNT "@" HOST ":~?([A-Za-z0-9_][A-Za-z0-9._-]*)/[A-Za-z0-9._/-]",
     THREE(EVIDENCE_ACCOUNT, 2, PRIVATE, EVIDENCE_HOST, 3, PRIVATE, EVIDENCE_ACCOUNT, 4, ANY)},
    {"(fetch)|(push)|cloning|remote", "://[^ ]*/([A-Za-z0-9._~-]+)/[A-Za-z0-9._-]+(/| [(]|$|'|\")", ONE(EVIDENCE_ACCOUNT, 1, ANY)},
    // trees, also where toolkits are
    {"written to|project /|directory",
     "(written to: |Test project |(entering|leaving|into|current|working) directory:? ['`\"]?)(/[^ '`\"<>]+)",
     ONE(EVIDENCE_PATH, 3, ANY)},
    // accounts and people
    {"/home/|/users/|/homes/", "/(home|Users|homes)/([A-Za-z0-9._-]+)", TWO(EVIDENCE_ACCOUNT, 2, ANY, EVIDENCE_PATH, 0, ANY)},
    {"/mail/", "/mail/([A-Za-z0-9._-]+)", ONE(EVIDENCE_ACCOUNT, 1, ANY)},
    {"~", "(^|[ \"'=:(])~([A-Za-z_][A-Za-z0-9_-]*)/", ONE(EVIDENCE_ACCOUNT, 2, ANY)},
    {"uid=|gid=|groups=", "[,=][0-9]+[(]" ACCOUNT "[)]", ONE(EVIDENCE_ACCOUNT, 1, ANY)},
    {"rw|r-|--", "^[ 0-9]*[-dlcbps][rwxsStT-]{9}[.+@]? +[0-9]+ +" ACCOUNT " +" ACCOUNT " +[0-9]",
     TWO(EVIDENCE_ACCOUNT, 1, ANY, EVIDENCE_ACCOUNT, 2, ANY)},
    {" <", "(Author|Commit|Committer|[A-Z][a-z-]+-by|From|To|Cc): +([^<]*[^< ]) +<", ONE(EVIDENCE_ACCOUNT, 2, ANY)},
    {"user.name", "user[.]name[= ]+([^\"']+)", ONE(EVIDENCE_ACCOUNT, 1, ANY)},
    {"sudo", "sudo(\\[[0-9]+\\])?: +" ACCOUNT " : ", ONE(EVIDENCE_ACCOUNT, 2, ANY)},
    {"user", "(for|invalid|unknown|as|by|for invalid) user '?" ACCOUNT, ONE(EVIDENCE_ACCOUNT, 2, NO_PROSE)},
    {"user", "user [\"'`]" ACCOUNT "[\"']", ONE(EVIDENCE_ACCOUNT, 1, ANY)},
    {" for ", "(publickey|password|gssapi-with-mic|keyboard-interactive[^ ]*) for (invalid user )?" ACCOUNT " from ",
     ONE(EVIDENCE_ACCOUNT, 3, ANY)},
    // secrets
    {"bearer", "bearer +([A-Za-z0-9._~+/=-]{6,})", ONE(EVIDENCE_SECRET, 1, ANY)},
    {"curl|wget|-u |--user", "(-u|--user)[ =]'?" ACCOUNT ":([^ '\"]+)", TWO(EVIDENCE_SECRET, 3, ANY, EVIDENCE_ACCOUNT, 2, ANY)},
    {"machine ", "machine " HOST " +login +([^ ]+) +password +([^ ]+)",
     THREE(EVIDENCE_SECRET, 3, ANY, EVIDENCE_ACCOUNT, 2, ANY, EVIDENCE_HOST, 1, PRIVATE)},
    {"sshpass", "sshpass +-p *'?([^ ']+)", ONE(EVIDENCE_SECRET, 1, ANY)},
    {"login", "login .*-p +'?([^ ']+)", ONE(EVIDENCE_SECRET, 1, ANY)},
    {"is ", "(password|passphrase|token|secret) is:? '?([^ '\".]{4,})", ONE(EVIDENCE_SECRET, 2, TELLING)},
    {"sig=", "[?&]sig=([^& ]+)", ONE(EVIDENCE_SECRET, 1, ANY)},
    // machines
    {"s/n|sn", BEFORE "S/?N[ :=#]+([A-Za-z0-9-]*[0-9][A-Za-z0-9-]*)", ONE(EVIDENCE_SERIAL, 2, ANY)},
    {"pci:|pci ", BEFORE "PCI[: ]+([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}|[0-9]+:[0-9]+:[0-9]+)([^0-9a-f.]|$)",
     ONE(EVIDENCE_BUS, 2, ANY)},
    {"location id", "location ID: +([0-9]+ / [0-9]+ / [0-9]+)", ONE(EVIDENCE_BUS, 1, ANY)},
    {": ", "^([0-9a-f]{2}:[0-9a-f]{2}[.][0-7]) [A-Z0-9][A-Za-z0-9-]* [a-z0-9]+.*: ", ONE(EVIDENCE_BUS, 1, ANY)},
    {"docker|contain|libpod|crio", "(containers?|docker|containerd|libpod|crio)[/ :-]+([0-9a-f]{64}|[0-9a-f]{12})([^0-9a-f]|$)",
     ONE(EVIDENCE_UUID, 2, ANY)},
};
enum { FRAME_COUNT = sizeof FRAMES / sizeof FRAMES[0] };

// Hosts that everybody knows, and all below them.
static const char *const PUBLIC_HOSTS[] = {
    "in-toto.io",      "github.com",     "gitlab.com",     "bitbucket.org", "w3.org",      "gnu.org",        "llvm.org",
    "cmake.org",       "kitware.com",    "cdash.org",      "nvidia.com",    "khronos.org", "debian.org",     "ubuntu.com",
    "launchpad.net",   "python.org",     "pypi.org",       "spdx.org",      "slsa.dev",    "kernel.org",     "valgrind.org",
    "json-schema.org", "apache.org",     "readthedocs.io", "docker.com",    "docker.io",   "sourceware.org", "fedoraproject.org",
    "redhat.com",      "cryptomilk.org", "cmocka.org",     "portablecl.org"};

static bool is_public(const char *at, size_t length)
{
    for (size_t i = 0; i < sizeof PUBLIC_HOSTS / sizeof PUBLIC_HOSTS[0]; ++i) {
        const size_t own = strlen(PUBLIC_HOSTS[i]);
        if (own <= length && strncasecmp(at + length - own, PUBLIC_HOSTS[i], own) == 0 &&
            (own == length || at[length - own - 1] == '.')) {
            return true;
        }
    }
    return length == 3 && strncmp(at, "git", 3) == 0; // everybody's account there
}

static bool is_prose(const char *at, size_t length)
{
    static const char *const words[] = {"version", "kernel", "release", "distribution", "input", "error",  "data",
                                        "id",      "name",   "space",   "code",         "time",  "mode",   "agent",
                                        "in",      "the",    "a",       "is",           "was",   "not",    "to",
                                        "of",      "option", "and",     "for",          "from",  "defined"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        if (strlen(words[i]) == length && strncasecmp(at, words[i], length) == 0) {
            return true;
        }
    }
    return false;
}

// "make[1]:" counts levels, and "sum[12]: expected" is an element; services have known names or a time before them.
static bool is_index(const char *line, const char *at, size_t length)
{
    static const char *const levels[] = {"make", "gmake", "ninja"};
    static const char *const said[] = {"expected", "got", "want", "differ", "is ", "value", "=", "("};
    const char *name = at - 1; // the bracket
    while (name > line && (isalnum((unsigned char)name[-1]) || strchr("._-", name[-1]) != NULL)) {
        --name;
    }
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; ++i) {
        if ((size_t)(at - 1 - name) == strlen(levels[i]) && strncmp(name, levels[i], strlen(levels[i])) == 0) {
            return true;
        }
    }
    const char *text = at + length + 2;
    text += strspn(text, " ");
    for (size_t i = 0; i < sizeof said / sizeof said[0]; ++i) {
        if (strncmp(text, said[i], strlen(said[i])) == 0) {
            return true;
        }
    }
    return *text == '-' || isdigit((unsigned char)*text) || at - 1 - name < 3 || name[-(name > line)] == '.';
}

static bool is_ratio(const char *after)
{
    after += strspn(after, " ");
    return *after == '/' || *after == '%' || strncmp(after, "of ", 3) == 0 || (*after == '.' && isdigit((unsigned char)after[1]));
}

static bool holds(frame_check check, const char *line, const char *at, size_t length)
{
    switch (check) {
    case NO_RATIO:
        return !is_ratio(at + length);
    case NO_INDEX:
        return !is_index(line, at, length);
    case TELLING:
        return strcspn(at, "0123456789.-") < length && !is_public(at, length);
    case NO_PROSE:
        return !is_prose(at, length);
    case PRIVATE:
        return !is_public(at, length);
    case ANY:
        break;
    }
    return true;
}

// A name does not end with the full stop of its sentence.
static size_t trimmed(const char *at, size_t length)
{
    while (length > 0 && (at[length - 1] == '.' || at[length - 1] == ' ')) {
        --length;
    }
    return length;
}

// Whether a line in small letters holds one of the hints.
static bool has_hint(const char *line, const char *hints)
{
    char hint[HINT_MAX];
    while (*hints != '\0') {
        const size_t length = strcspn(hints, "|");
        memcpy(hint, hints, length);
        hint[length] = '\0';
        if (strstr(line, hint) != NULL) {
            return true;
        }
        hints += length + (hints[length] == '|');
    }
    return false;
}

static void line_find(const frame *one, const regex_t *compiled, const char *line, size_t offset, evidence_spans *spans)
{
    regmatch_t groups[GROUPS];
    const char *at = line;
    while (*at != '\0' && regexec(compiled, at, GROUPS, groups, at == line ? 0 : REG_NOTBOL) == 0) {
        for (size_t i = 0; i < one->count; ++i) {
            const regmatch_t *group = &groups[one->values[i].group];
            const char *value = group->rm_so >= 0 ? at + group->rm_so : at;
            const size_t length = group->rm_so >= 0 ? trimmed(value, (size_t)(group->rm_eo - group->rm_so)) : 0;
            if (length > 0 && evidence_placeholder_length(value) == 0 && holds(one->values[i].check, line, value, length)) {
                evidence_spans_add(spans, one->values[i].kind, offset + (size_t)(value - line), length);
            }
        }
        at += groups[0].rm_eo > 1 ? groups[0].rm_eo - 1 : 1; // the last character may be the next one's first
    }
}

// The expressions of frames, compiled when the first line that may match comes.
typedef struct frame_set {
    regex_t compiled[FRAME_COUNT];
    bool ready[FRAME_COUNT];
} frame_set;

static bool frame_ready(frame_set *set, size_t at)
{
    if (!set->ready[at]) {
        set->ready[at] = regcomp(&set->compiled[at], FRAMES[at].expression, REG_EXTENDED | REG_ICASE) == 0;
    }
    return set->ready[at];
}

// regexec takes time in proportion to the rest of its text, so a text is read line by line, and only lines that may match.
void evidence_frames_find(const char *view, evidence_spans *spans)
{
    const size_t length = strlen(view);
    char *lines = strdup(view);
    char *small = strdup(view);
    frame_set *set = calloc(1, sizeof *set);
    bool good = lines != NULL && small != NULL && set != NULL;
    for (size_t i = 0; good && i < length; ++i) {
        lines[i] = lines[i] == '\n' ? '\0' : lines[i];
        small[i] = (char)tolower((unsigned char)lines[i]);
    }
    for (size_t at = 0; good && at < length; at += strlen(lines + at) + 1) {
        for (size_t i = 0; good && lines[at] != '\0' && i < FRAME_COUNT; ++i) {
            if (has_hint(small + at, FRAMES[i].hints)) {
                good = frame_ready(set, i);
                if (good) {
                    line_find(&FRAMES[i], &set->compiled[i], lines + at, at, spans);
                }
            }
        }
    }
    for (size_t i = 0; set != NULL && i < FRAME_COUNT; ++i) {
        if (set->ready[i]) {
            regfree(&set->compiled[i]);
        }
    }
    spans->lost = spans->lost || !good;
    free(set);
    free(small);
    free(lines);
}
