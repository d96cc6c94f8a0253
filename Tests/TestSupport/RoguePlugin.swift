// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An LV2 effect that misbehaves in one of its functions.
///
/// Two environment variables select the behaviour and the function. By default it behaves while the
/// command tests new plug-ins, so that it can be used in a song.
public struct RoguePlugin: Sendable {
  /// The functions of a plug-in.
  public enum Place: String, CaseIterable, Sendable {
    case start, descriptor, instantiate, connect, activate, run, deactivate, cleanup
    case extensionData = "extension"
    case work, save, restore
  }

  /// The ways to misbehave.
  public enum Deed: String, CaseIterable, Sendable {
    case exit, quickExit = "quick-exit", crash, abort, hang, allocate, nan, null
    case threadEnd = "thread-end"
  }

  /// The plug-in's URI.
  public static let uri = "urn:test:rogue"
  /// The folder that contains its bundle, for `LV2_PATH`.
  public let folder: String
  private let scratch: ScratchFolder

  /// Compiles the plug-in.
  ///
  /// - Throws: `Failure` without a compiler.
  public init() throws {
    scratch = try ScratchFolder()
    folder = scratch.path("lv2")
    let bundle = folder + "/rogue.lv2"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    for (name, text) in [("manifest.ttl", Self.manifest), ("rogue.c", Self.code)] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(bundle)/\(name)"))
    }
    let build = try ToolRun(
      ["-c", "exec clang -shared -fPIC -O1 -w \(bundle)/rogue.c -o \(bundle)/rogue.so -lpthread"],
      command: "/bin/sh")
    guard build.status == 0 else { throw Failure(text: build.errors) }
  }

  /// The reason why the plug-in cannot be compiled.
  public struct Failure: Error {
    /// The compiler's messages.
    public let text: String
  }

  /// The variables with which the command finds the plug-in, and which select its behaviour.
  ///
  /// - Parameters:
  ///   - deed: The behaviour; nil for none.
  ///   - place: The function.
  ///   - isTried: True if it also misbehaves in the processes that test plug-ins.
  ///   - mark: A file that it creates before it misbehaves, with the number of the process.
  ///   - cache: The folder in which the command stores its results.
  /// - Returns: The variables.
  public func environment(
    _ deed: Deed?, in place: Place, isTried: Bool = false, mark: String? = nil, cache: String
  ) -> [String: String] {
    var variables = [
      "LV2_PATH": folder, "XDG_CACHE_HOME": cache, "ROGUE_DEED": deed?.rawValue ?? "",
      "ROGUE_PLACE": place.rawValue, "SWIFT_BACKTRACE": "enable=no",
    ]
    if isTried { variables["ROGUE_TRIED"] = "1" }
    variables["ROGUE_MARK"] = mark
    return variables
  }

  private static let manifest = """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix doap: <http://usefulinc.com/ns/doap#> .
    @prefix state: <http://lv2plug.in/ns/ext/state#> .
    @prefix work: <http://lv2plug.in/ns/ext/worker#> .
    <urn:test:rogue> a lv2:Plugin ; doap:name "Rogue" ; lv2:binary <rogue.so> ;
      lv2:optionalFeature work:schedule ; lv2:extensionData state:interface , work:interface ;
      lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
        [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] .
    """

  private static let code = """
    #define _GNU_SOURCE
    #include <fcntl.h>
    #include <pthread.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>
    struct feature { const char *uri; void *data; };
    struct descriptor {
      const char *uri;
      void *(*make)(const struct descriptor *, double, const char *, const struct feature *const *);
      void (*connect)(void *, uint32_t, void *);
      void (*activate)(void *);
      void (*run)(void *, uint32_t);
      void (*deactivate)(void *);
      void (*cleanup)(void *);
      const void *(*extension)(const char *);
    };
    struct schedule { void *handle; int (*work)(void *, uint32_t, const void *); };
    struct instance { float *ports[2]; struct schedule *schedule; unsigned count; };
    static int is_tried(void) {
      char words[4096] = {0};
      int file = open("/proc/self/cmdline", O_RDONLY);
      int count = read(file, words, sizeof words - 1);
      close(file);
      const char *second = words + strlen(words) + 1;
      return count > 0 && !strncmp(second, "lv2-", 4);
    }
    static volatile int *nothing = (int *)8;
    static int kept = -1;
    static int is(const char *place) {
      const char *wanted = getenv("ROGUE_PLACE");
      if (!wanted || strcmp(wanted, place)) return 0;
      if (kept < 0) kept = !is_tried() || getenv("ROGUE_TRIED");
      return kept;
    }
    static int wants(const char *deed, const char *place) {
      const char *wanted = getenv("ROGUE_DEED");
      return wanted && !strcmp(wanted, deed) && is(place);
    }
    static void mark(void) {
      const char *path = getenv("ROGUE_MARK");
      if (!path) return;
      int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
      dprintf(file, "%d\\n", getpid());
      close(file);
    }
    static void act(const char *place) {
      if (!is(place)) return;
      const char *deed = getenv("ROGUE_DEED");
      if (!deed) return;
      mark();
      if (!strcmp(deed, "exit")) exit(0);
      if (!strcmp(deed, "quick-exit")) _exit(0);
      if (!strcmp(deed, "thread-end")) pthread_exit(0);
      if (!strcmp(deed, "crash")) *nothing = 1;
      if (!strcmp(deed, "abort")) abort();
      if (!strcmp(deed, "hang")) for (;;) pause();
      if (!strcmp(deed, "allocate")) { void *volatile m = malloc(100); free(m); }
    }
    __attribute__((constructor)) static void start(void) { act("start"); }
    static void *make(const struct descriptor *d, double r, const char *p,
                      const struct feature *const *features) {
      act("instantiate");
      if (wants("null", "instantiate")) return 0;
      struct instance *it = calloc(1, sizeof *it);
      for (; *features; features++)
        if (!strcmp((*features)->uri, "http://lv2plug.in/ns/ext/worker#schedule"))
          it->schedule = (*features)->data;
      return it;
    }
    static void connect(void *i, uint32_t port, void *place) {
      act("connect");
      ((struct instance *)i)->ports[port] = place;
    }
    static void activate(void *i) { act("activate"); }
    static void run(void *i, uint32_t count) {
      struct instance *it = i;
      if (it->count++ > 100) act("run");
      if (it->count % 50 == 2 && it->schedule) it->schedule->work(it->schedule->handle, 4, "work");
      float more = it->count > 100 && wants("nan", "run") ? 0.0f / 0.0f : 0.0f;
      for (uint32_t k = 0; k < count; k++) it->ports[1][k] = it->ports[0][k] + more;
    }
    static void deactivate(void *i) { if (((struct instance *)i)->count > 100) act("deactivate"); }
    static void cleanup(void *i) { if (((struct instance *)i)->count > 100) act("cleanup"); free(i); }
    static int work(void *i, void *respond, void *handle, uint32_t size, const void *data) {
      act("work");
      return 0;
    }
    static int response(void *i, uint32_t size, const void *body) { return 0; }
    static int save(void *i, void *store, void *handle, uint32_t flags, const void *features) {
      act("save");
      return 0;
    }
    static int restore(void *i, void *find, void *handle, uint32_t flags, const void *features) {
      act("restore");
      return 0;
    }
    static const void *extension(const char *uri) {
      static void *workers[3] = {work, response, 0}, *states[2] = {save, restore}, *none[3];
      act("extension");
      if (!strcmp(uri, "http://lv2plug.in/ns/ext/worker#interface"))
        return wants("null", "work") ? none : workers;
      if (!strcmp(uri, "http://lv2plug.in/ns/ext/state#interface"))
        return wants("null", "save") ? none : states;
      return 0;
    }
    static const struct descriptor whole = {"urn:test:rogue", make, connect, activate, run,
      deactivate, cleanup, extension};
    static const struct descriptor part = {"urn:test:rogue", make, connect, activate, 0,
      deactivate, cleanup, extension};
    const struct descriptor *lv2_descriptor(uint32_t index) {
      act("descriptor");
      if (wants("null", "descriptor")) return 0;
      return index ? 0 : wants("null", "run") ? &part : &whole;
    }
    """
}
