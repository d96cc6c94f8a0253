// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Plug-ins for the command: installed ones, and one that ends its host.
enum PluginFolder {
  static let mda = "/usr/lib/lv2/mda.lv2"
  static let isMDAInstalled = FileManager.default.fileExists(atPath: mda)
  static let isSWHInstalled = FileManager.default.fileExists(
    atPath: "/usr/lib/lv2/gverb-swh.lv2")

  /// True if the command can search for plug-ins.
  static let isLilvInstalled: Bool = {
    do {
      return try ToolRun(["lv2", "list"], environment: ["LV2_PATH": "/nowhere"]).status == 0
    } catch { return false }
  }()

  /// Returns variables with which the command searches for plug-ins only in some folders, and
  /// stores the results in another.
  static func environment(_ folders: [String], cache: String) -> [String: String?] {
    ["LV2_PATH": folders.joined(separator: ":"), "XDG_CACHE_HOME": cache]
  }

  /// Writes a bundle of one effect, whose library is made of lines of C.
  ///
  /// - Parameters:
  ///   - statement: A statement that is run when an instance is created.
  ///   - rendering: A statement that is run before each block, after `n` blocks. The output has the
  ///     level of the control `size`. With nil, the output is NaN.
  ///   - scratch: The folder for the bundle.
  /// - Returns: The folder that contains the bundle.
  /// - Throws: An error if it cannot be written.
  static func make(
    _ statement: String = "", rendering: String? = nil, in scratch: borrowing ScratchFolder
  ) throws -> String {
    let bundle = scratch.path("lv2/bad.lv2")
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    let sample = rendering == nil ? "0.0f / (ports[0][k] - ports[0][k])" : "ports[0][k] * *ports[2]"
    let program = code.replacing("STATEMENT", with: statement)
      .replacing("RENDERING", with: rendering ?? "").replacing("SAMPLE", with: sample)
    for (name, text) in [("manifest.ttl", manifest), ("bad.c", program)] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(bundle)/\(name)"))
    }
    _ = try ToolRun(
      ["-c", "exec clang -shared -fPIC \(bundle)/bad.c -o \(bundle)/bad.so"], command: "/bin/sh")
    return scratch.path("lv2")
  }

  private static let manifest = """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix doap: <http://usefulinc.com/ns/doap#> .
    <urn:test:bad-one> a lv2:Plugin ; doap:name "Bad one" ; lv2:binary <bad.so> ;
      lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
        [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] ,
        [ a lv2:ControlPort, lv2:InputPort ; lv2:index 2 ; lv2:symbol "size" ; lv2:name "Size" ;
          lv2:default 0.5 ; lv2:minimum 0 ; lv2:maximum 1 ] .
    """

  private static let code = """
    #define _GNU_SOURCE
    #include <pthread.h>
    #include <stdint.h>
    #include <stdlib.h>
    #include <time.h>
    #include <unistd.h>
    struct descriptor {
      const char *uri;
      void *(*make)(const struct descriptor *, double, const char *, const void *const *);
      void (*connect)(void *, uint32_t, void *);
      void (*activate)(void *);
      void (*run)(void *, uint32_t);
      void (*deactivate)(void *);
      void (*cleanup)(void *);
      const void *(*extension)(const char *);
    };
    static float *ports[3];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static double work(void) {
      struct timespec t;
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
      return t.tv_sec + t.tv_nsec / 1e9;
    }
    static void *make(const struct descriptor *d, double r, const char *p, const void *const *f) {
      STATEMENT;
      return ports;
    }
    static void connect(void *i, uint32_t n, void *p) { ports[n] = p; }
    static void nothing(void *i) {}
    static void run(void *i, uint32_t count) {
      static unsigned n;
      RENDERING;
      n++;
      for (uint32_t k = 0; k < count; k++) ports[1][k] = SAMPLE;
    }
    static const void *extension(const char *u) { return 0; }
    static const struct descriptor it = {"urn:test:bad-one", make, connect, nothing, run, nothing,
      nothing, extension};
    const struct descriptor *lv2_descriptor(uint32_t i) { return i ? 0 : &it; }
    """
}
