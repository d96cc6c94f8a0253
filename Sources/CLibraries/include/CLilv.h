// SPDX-License-Identifier: Apache-2.0
// The functions of lilv in use, and the parts of an LV2 host that must be in C.
//
// The library is opened on first use, because only plug-ins require it.
#ifndef CLILV_H
#define CLILV_H

#include "CLilvTypes.h"

#define CLILV_FUNCTIONS(f)                                                                         \
  f(LilvWorld *, world_new, (void))                                                                \
  f(void, world_free, (LilvWorld *))                                                               \
  f(void, world_load_all, (LilvWorld *))                                                           \
  f(void, world_load_specifications, (LilvWorld *))                                                \
  f(void, world_load_plugin_classes, (LilvWorld *))                                                \
  f(void, world_load_bundle, (LilvWorld *, const LilvNode *))                                      \
  f(int, world_load_resource, (LilvWorld *, const LilvNode *))                                     \
  f(const LilvPlugins *, world_get_all_plugins, (const LilvWorld *))                               \
  f(LilvNode *, world_get,                                                                         \
    (LilvWorld *, const LilvNode *, const LilvNode *, const LilvNode *))                           \
  f(const LilvPlugin *, plugins_get_by_uri, (const LilvPlugins *, const LilvNode *))               \
  f(LilvIter *, plugins_begin, (const LilvPlugins *))                                              \
  f(const LilvPlugin *, plugins_get, (const LilvPlugins *, LilvIter *))                            \
  f(bool, plugins_is_end, (const LilvPlugins *, LilvIter *))                                       \
  f(LilvIter *, plugins_next, (const LilvPlugins *, LilvIter *))                                   \
  f(bool, plugin_verify, (const LilvPlugin *))                                                     \
  f(const LilvNode *, plugin_get_uri, (const LilvPlugin *))                                        \
  f(LilvNode *, plugin_get_name, (const LilvPlugin *))                                             \
  f(const LilvNode *, plugin_get_bundle_uri, (const LilvPlugin *))                                 \
  f(const LilvNode *, plugin_get_library_uri, (const LilvPlugin *))                                \
  f(LilvNode *, plugin_get_author_name, (const LilvPlugin *))                                      \
  f(LilvNodes *, plugin_get_required_features, (const LilvPlugin *))                               \
  f(LilvNodes *, plugin_get_value, (const LilvPlugin *, const LilvNode *))                         \
  f(uint32_t, plugin_get_num_ports, (const LilvPlugin *))                                          \
  f(const LilvPort *, plugin_get_port_by_index, (const LilvPlugin *, uint32_t))                    \
  f(bool, plugin_has_latency, (const LilvPlugin *))                                                \
  f(uint32_t, plugin_get_latency_port_index, (const LilvPlugin *))                                 \
  f(LilvNodes *, plugin_get_related, (const LilvPlugin *, const LilvNode *))                       \
  f(LilvInstance *, plugin_instantiate,                                                            \
    (const LilvPlugin *, double rate, const LV2_Feature *const *))                                 \
  f(void, instance_free, (LilvInstance *))                                                         \
  f(bool, port_is_a, (const LilvPlugin *, const LilvPort *, const LilvNode *))                     \
  f(const LilvNode *, port_get_symbol, (const LilvPlugin *, const LilvPort *))                     \
  f(LilvNode *, port_get_name, (const LilvPlugin *, const LilvPort *))                             \
  f(void, port_get_range,                                                                          \
    (const LilvPlugin *, const LilvPort *, LilvNode **initial, LilvNode **least, LilvNode **most)) \
  f(bool, port_has_property, (const LilvPlugin *, const LilvPort *, const LilvNode *))             \
  f(bool, port_supports_event, (const LilvPlugin *, const LilvPort *, const LilvNode *))           \
  f(LilvNode *, port_get, (const LilvPlugin *, const LilvPort *, const LilvNode *))                \
  f(LilvScalePoints *, port_get_scale_points, (const LilvPlugin *, const LilvPort *))              \
  f(LilvIter *, scale_points_begin, (const LilvScalePoints *))                                     \
  f(const LilvScalePoint *, scale_points_get, (const LilvScalePoints *, LilvIter *))               \
  f(bool, scale_points_is_end, (const LilvScalePoints *, LilvIter *))                              \
  f(LilvIter *, scale_points_next, (const LilvScalePoints *, LilvIter *))                          \
  f(void, scale_points_free, (LilvScalePoints *))                                                  \
  f(const LilvNode *, scale_point_get_label, (const LilvScalePoint *))                             \
  f(const LilvNode *, scale_point_get_value, (const LilvScalePoint *))                             \
  f(LilvNode *, new_uri, (LilvWorld *, const char *))                                              \
  f(LilvNode *, new_file_uri, (LilvWorld *, const char *host, const char *path))                   \
  f(void, node_free, (LilvNode *))                                                                 \
  f(const char *, node_as_string, (const LilvNode *))                                              \
  f(float, node_as_float, (const LilvNode *))                                                      \
  f(char *, node_get_path, (const LilvNode *, char **host))                                        \
  f(LilvIter *, nodes_begin, (const LilvNodes *))                                                  \
  f(const LilvNode *, nodes_get, (const LilvNodes *, LilvIter *))                                  \
  f(bool, nodes_is_end, (const LilvNodes *, LilvIter *))                                           \
  f(LilvIter *, nodes_next, (const LilvNodes *, LilvIter *))                                       \
  f(void, nodes_free, (LilvNodes *))                                                               \
  f(LilvState *, state_new_from_world, (LilvWorld *, LV2_URID_Map *, const LilvNode *))            \
  f(LilvState *, state_new_from_string, (LilvWorld *, LV2_URID_Map *, const char *))               \
  f(LilvState *, state_new_from_instance,                                                          \
    (const LilvPlugin *, LilvInstance *, LV2_URID_Map *, const char *scratch, const char *copies,  \
     const char *links, const char *folder, LilvGetPortValueFunc, void *context, uint32_t flags,   \
     const LV2_Feature *const *))                                                                  \
  f(char *, state_to_string,                                                                       \
    (LilvWorld *, LV2_URID_Map *, LV2_URID_Unmap *, const LilvState *, const char *uri,            \
     const char *base))                                                                            \
  f(void, state_restore,                                                                           \
    (const LilvState *, LilvInstance *, LilvSetPortValueFunc, void *context, uint32_t flags,       \
     const LV2_Feature *const *))                                                                  \
  f(const LilvNode *, state_get_plugin_uri, (const LilvState *))                                   \
  f(void, state_free, (LilvState *))                                                               \
  f(void, free, (void *))

typedef struct {
#define CLILV_FIELD(type, name, arguments) type(*name) arguments;
  CLILV_FUNCTIONS(CLILV_FIELD)
#undef CLILV_FIELD
} CLilvTable;

/// Opens the library on the first call, on any thread, and returns its functions; null if it is
/// missing.
const CLilvTable *clilv_table(void);

/// The loader's message if the library could not be opened.
const char *clilv_missing(void);

/// Returns the number of a URI, constant until the process ends; 0 if memory runs out.
///
/// It locks.
LV2_URID clilv_map(LV2_URID_Map_Handle handle, const char *uri);

/// Returns the URI of a number, or null; the text is never freed.
///
/// It locks.
const char *clilv_unmap(LV2_URID_Unmap_Handle handle, LV2_URID urid);

/// The last log message of a plug-in.
typedef struct {
  /// Number of lines logged, with those dropped because another thread was writing.
  unsigned count;
  bool isBusy;
  char last[256];
} CLilvLog;

/// Keeps a log message of a plug-in, cut to the buffer's size; never waits.
int clilv_print(LV2_Log_Handle log, LV2_URID type, const char *format, ...);
int clilv_vprint(LV2_Log_Handle log, LV2_URID type, const char *format, va_list arguments);

/// Copies the last log message; false if another thread is writing one.
bool clilv_last_words(CLilvLog *log, char *words, size_t room);

/// Sets the functions with variable arguments.
static inline void clilv_set_log(LV2_Log_Log *feature, CLilvLog *log) {
  feature->handle = log;
  feature->printf = clilv_print;
  feature->vprintf = clilv_vprint;
}

/// Loads a shared library; on failure, returns null and the loader's message in `reason`.
void *clilv_open(const char *path, char *reason, size_t room);

/// Unloads a library.
void clilv_close(void *library);

#define CLILV_REALTIME \
  static inline __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

/// The URI of the plug-in whose code the calling thread runs; null if none.
extern _Thread_local const char *volatile clilv_running __attribute__((tls_model("initial-exec")));

/// A call of a plug-in's function.
typedef struct {
  /// The plug-in that the thread ran before; null if none.
  const char *outer;
  /// Index in the list of calls; below zero if the list was full.
  int place;
} CLilvCall;

/// Records that the calling thread enters a function of a plug-in; never locks or allocates.
///
/// Both texts must stay valid until the process ends.
CLilvCall clilv_enter(const char *uri, const char *function);

/// Records that the function has returned.
void clilv_leave(CLilvCall call);

/// An unfinished call.
typedef struct {
  const char *uri;
  const char *function;
  /// The number of the call, unique in the process.
  unsigned long number;
} CLilvOpenCall;

/// Copies the unfinished calls of all threads; returns their number, at most `room`.
int clilv_open_calls(CLilvOpenCall *calls, int room);

/// Makes a plug-in that crashes or ends the program be reported on standard error, after the
/// program's name.
///
/// After a crash, the process ends by its signal; after `exit` and similar functions, with
/// `clilv_exit_status`.
void clilv_arm(const char *program);

/// The exit status of a process that a plug-in has ended by `exit`: EX_IOERR.
enum { clilv_exit_status = 74 };

/// Sets the function called before the process ends because a plug-in called `exit`; null for none.
void clilv_before_exit(void (*function)(void));

/// Sets the file descriptor for the reports of `clilv_arm`; default 2, standard error.
void clilv_report_to(int file);

/// Allows the process to end by `exit` from now on.
void clilv_allow_exit(void);

/// Redirects the references of loaded libraries to `exit`, `_exit`, `_Exit`, `quick_exit` and
/// `pthread_exit` to functions that refuse to end a process before its work is done.
void clilv_guard_exits(void);

/// Makes the kernel end this process when the thread that started it ends.
void clilv_end_with_parent(void);

/// Numbers of the calls that plug-ins made on a thread while they ran, by kind.
typedef struct {
  /// `malloc` and similar functions, and `free`.
  unsigned allocations, releases;
  /// Mutexes, readers-writer locks and spin locks.
  unsigned locks;
  /// Waits for a condition, a semaphore, the end of a thread, files or a time.
  unsigned waits;
  /// `clilv_map` and `clilv_unmap`.
  unsigned numbers;
} CLilvCalls;

/// The counts of the calling thread; null if it is not counted.
extern _Thread_local CLilvCalls *clilv_watched __attribute__((tls_model("initial-exec")));

#define CLILV_COUNT(kind) \
  do {                    \
    if (clilv_watched && clilv_running) clilv_watched->kind++; \
  } while (0)

/// Starts counting on the calling thread, from 0.
///
/// If `anew` is true, the calls of all libraries loaded by now are redirected to the counters until
/// the process ends, so use it only in a process for this purpose.
void clilv_watch(bool anew);

/// Returns the counts since the start.
CLilvCalls clilv_calls(void);

CLILV_REALTIME void clilv_run(const LilvInstance *instance, const char *uri, uint32_t frames) {
  CLilvCall call = clilv_enter(uri, "run");
  instance->lv2_descriptor->run(instance->lv2_handle, frames);
  clilv_leave(call);
}

/// Does scheduled work, on another thread or within a run; its calls are not counted as part of the
/// run.
static inline void clilv_work(const LilvInstance *instance, const char *uri,
                              const LV2_Worker_Interface *worker,
                              LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle handle,
                              uint32_t size, const void *data) {
  if (!worker->work) return;
  CLilvCalls *watched = clilv_watched;
  CLilvCall call = clilv_enter(uri, "work");
  clilv_watched = NULL;
  worker->work(instance->lv2_handle, respond, handle, size, data);
  clilv_watched = watched;
  clilv_leave(call);
}

CLILV_REALTIME void clilv_respond(const LilvInstance *instance, const char *uri,
                                  const LV2_Worker_Interface *worker, uint32_t size,
                                  const void *body) {
  if (!worker->work_response) return;
  CLilvCall call = clilv_enter(uri, "work_response");
  worker->work_response(instance->lv2_handle, size, body);
  clilv_leave(call);
}

CLILV_REALTIME void clilv_end_run(const LilvInstance *instance, const char *uri,
                                  const LV2_Worker_Interface *worker) {
  if (!worker->end_run) return;
  CLilvCall call = clilv_enter(uri, "end_run");
  worker->end_run(instance->lv2_handle);
  clilv_leave(call);
}

#endif
