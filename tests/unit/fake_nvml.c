// SPDX-License-Identifier: Apache-2.0
// An NVML for machines without an NVIDIA device: one device of fixed settings. FAKE_NVML_JOURNAL names a file that grows by a
// byte each time the library is initialised; its size is the number of uncorrected errors, so that a later look sees another
// device. FAKE_NVML_MOMENTS does the same for what changes from moment to moment. FAKE_NVML_SECRETIVE: an account that may see
// little; FAKE_NVML_BROKEN: a library that cannot be initialised. Functions that it lacks are as in an NVML of another release.
#include <stdio.h>
#include <stdlib.h>

enum { SUCCESS = 0, NOT_SUPPORTED = 3, NO_PERMISSION = 4 };

typedef struct process {
    unsigned pid;
    unsigned long long used_bytes;
    unsigned gpu_instance, compute_instance;
} process;

static long journal_size(const char *name, const char *mode)
{
    const char *path = getenv(name);
    FILE *journal = path != NULL ? fopen(path, mode) : NULL;
    long size = 0;
    if (journal != NULL) {
        if (mode[0] == 'a') {
            fputc('.', journal);
        }
        fseek(journal, 0, SEEK_END);
        size = ftell(journal);
        fclose(journal);
    }
    return size;
}

static int text_put(char *text, unsigned size, const char *value)
{
    snprintf(text, size, "%s", value);
    return SUCCESS;
}

int nvmlInit_v2(void);
int nvmlInit_v2(void)
{
    journal_size("FAKE_NVML_JOURNAL", "ab");
    journal_size("FAKE_NVML_MOMENTS", "ab");
    return getenv("FAKE_NVML_BROKEN") != NULL ? NO_PERMISSION : SUCCESS;
}

int nvmlShutdown(void);
int nvmlShutdown(void)
{
    return SUCCESS;
}

const char *nvmlErrorString(int code);
const char *nvmlErrorString(int code)
{
    return code == NO_PERMISSION ? "Insufficient Permissions" : code == NOT_SUPPORTED ? "Not Supported" : "Success";
}

int nvmlSystemGetDriverVersion(char *text, unsigned size);
int nvmlSystemGetDriverVersion(char *text, unsigned size)
{
    return text_put(text, size, "580.1");
}

int nvmlDeviceGetCount_v2(unsigned *count);
int nvmlDeviceGetCount_v2(unsigned *count)
{
    *count = 1;
    return SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
    static int only;
    *device = &only;
    return index == 0 ? SUCCESS : NOT_SUPPORTED;
}

#define TEXT(function, value)                                                                                                      \
    int function(void *device, char *text, unsigned size);                                                                         \
    int function(void *device, char *text, unsigned size)                                                                          \
    {                                                                                                                              \
        (void)device;                                                                                                              \
        return text_put(text, size, value);                                                                                        \
    }
TEXT(nvmlDeviceGetName, "NVIDIA Fake")
TEXT(nvmlDeviceGetUUID, "GPU-00000000-1111-2222-3333-444444444444")
TEXT(nvmlDeviceGetVbiosVersion, "96.00")

#define MODES(function, now, later)                                                                                                \
    int function(void *device, unsigned *current, unsigned *pending);                                                              \
    int function(void *device, unsigned *current, unsigned *pending)                                                               \
    {                                                                                                                              \
        (void)device;                                                                                                              \
        *current = (now);                                                                                                          \
        *pending = (later);                                                                                                        \
        return SUCCESS;                                                                                                            \
    }
MODES(nvmlDeviceGetEccMode, 1, 1)
MODES(nvmlDeviceGetMigMode, 0, 0)

#define NUMBER(function, number)                                                                                                   \
    int function(void *device, unsigned *value);                                                                                   \
    int function(void *device, unsigned *value)                                                                                    \
    {                                                                                                                              \
        (void)device;                                                                                                              \
        *value = (number);                                                                                                         \
        return SUCCESS;                                                                                                            \
    }
NUMBER(nvmlDeviceGetComputeMode, 0)
NUMBER(nvmlDeviceGetPersistenceMode, 1)
NUMBER(nvmlDeviceGetPowerManagementLimit, 700000)

int nvmlDeviceGetTotalEccErrors(void *device, int type, int counter, unsigned long long *count);
int nvmlDeviceGetTotalEccErrors(void *device, int type, int counter, unsigned long long *count)
{
    (void)device;
    *count = type == 1 && counter == 0 ? (unsigned long long)journal_size("FAKE_NVML_JOURNAL", "rb") : 0;
    return SUCCESS;
}

int nvmlDeviceGetMaxClockInfo(void *device, int clock, unsigned *megahertz);
int nvmlDeviceGetMaxClockInfo(void *device, int clock, unsigned *megahertz)
{
    (void)device;
    *megahertz = clock == 1 ? 1980 : 3201;
    return SUCCESS;
}

int nvmlDeviceGetApplicationsClock(void *device, int clock, unsigned *megahertz);
int nvmlDeviceGetApplicationsClock(void *device, int clock, unsigned *megahertz)
{
    (void)device;
    (void)clock;
    *megahertz = 0;
    return NOT_SUPPORTED;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, process *processes);
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, process *processes)
{
    (void)device;
    if (getenv("FAKE_NVML_SECRETIVE") != NULL) {
        return NO_PERMISSION;
    }
    *count = 1;
    processes[0] = (process){.pid = 4711};
    return SUCCESS;
}

// Another value at each look.
int nvmlDeviceGetClockInfo(void *device, int clock, unsigned *megahertz);
int nvmlDeviceGetClockInfo(void *device, int clock, unsigned *megahertz)
{
    (void)device;
    *megahertz = (clock == 1 ? 345U : 2619U) + (unsigned)journal_size("FAKE_NVML_MOMENTS", "rb");
    return SUCCESS;
}
