// SPDX-License-Identifier: Apache-2.0
import Foundation
import LV2Units
import TestSupport

/// Probe plug-ins, compiled when the first test asks for them, that show the host's behaviour.
enum ProbePlugins {
  struct Failure: Error {
    let text: String
  }

  /// True if lilv can be opened.
  static let isLilvInstalled: Bool = {
    do {
      _ = try LV2World(bundles: [])
      return true
    } catch { return false }
  }()

  private static let made = Result { try Bundle() }

  /// The folder of the plug-ins.
  static func bundle() throws -> String { try made.get().path }

  /// A world of these plug-ins only.
  static func world() throws -> LV2World { try LV2World(bundles: [bundle()]) }

  /// A plug-in by the end of its name.
  static func plugin(_ name: String, in world: LV2World) throws -> LV2Plugin {
    try world.plugin(named: "urn:probe:" + name)
  }

  private final class Bundle: Sendable {
    private let folder: TestSupport.ScratchFolder
    let path: String

    init() throws {
      folder = try TestSupport.ScratchFolder()
      path = folder.path("probe.lv2")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for (name, text) in [
        ("probe.c", ProbeSources.code), ("manifest.ttl", ProbeSources.manifest),
        ("probe.ttl", ProbeSources.description),
      ] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
      }
      let includes = ToolRun.packageFolder.appendingPathComponent("Sources/CLibraries/include").path
      let build = try ToolRun(
        [
          "-c", #"exec clang -shared -fPIC -O1 "$@""#, "clang", "-I", includes, "\(path)/probe.c",
          "-o", "\(path)/probe.so",
        ], command: "/bin/sh")
      guard build.status == 0 else { throw Failure(text: build.errors) }
    }
  }
}
