// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import MusicalTime
internal import WholeFiles

/// Finds the plug-ins of this machine safely: each bundle is tested in a separate process.
///
/// The result of a test is stored until the bundle changes.
///
/// The process that tests plug-ins usually runs your own program, with an argument that makes it
/// call `answer(_:_:)`:
///
/// ```swift
/// let discovery = LV2Discovery(command: ["/proc/self/exe", "lv2", "try"], cache: "…/lv2.json")
/// let plugins = try discovery.findings().plugins
/// ```
///
/// Started in this way, the program passes its remaining arguments to `answer(_:_:)`.
///
/// - Note: Any thread except the render thread, because the methods block.
public struct LV2Discovery: Sendable {
  /// The program that tests plug-ins, and its first arguments; the paths of bundles are appended.
  public var command: [String]
  /// The path of the file that stores the results of tests; nil to store none.
  public var cache: String?
  /// The folders that contain bundles.
  public var folders: [String]
  /// The time limit of a test in seconds: a plug-in that does not answer in this time is reported
  /// as faulty.
  public var seconds: Int
  /// Seconds without an answer after which reading a bundle's files is aborted.
  private var secondsOfReading: Int { 12 * seconds }

  /// The folders that are searched by default: those in the environment variable `LV2_PATH`; if it
  /// is not set, `~/.lv2`, `/usr/local/lib/lv2` and `/usr/lib/lv2`.
  public static var usualFolders: [String] {
    if let path = unsafe getenv("LV2_PATH") {
      return unsafe FileName.text(cString: path).split(separator: ":").map(String.init)
    }
    let home = unsafe getenv("HOME").map { unsafe FileName.text(cString: $0) + "/.lv2" }
    return [home].compactMap(\.self) + ["/usr/local/lib/lv2", "/usr/lib/lv2"]
  }

  /// Creates a discovery.
  ///
  /// - Parameters:
  ///   - command: the program that tests plug-ins, and its first arguments.
  ///   - cache: the path of the file that stores the results of tests; nil to store none.
  ///   - folders: the folders that contain bundles; nil for `usualFolders`.
  ///   - seconds: the time limit of a test, in seconds.
  public init(
    command: [String], cache: String? = nil, folders: [String]? = nil, seconds: Int = 10
  ) {
    self.command = command
    self.cache = cache
    self.folders = folders ?? Self.usualFolders
    self.seconds = seconds
  }

  /// The result of a discovery.
  public struct Findings: Sendable {
    /// The plug-ins, sorted by URI.
    public internal(set) var plugins: [LV2Plugin] = []
    /// The faults found in bundles.
    public internal(set) var problems: [LV2Error] = []
    /// The number of bundles that were tested in this call; the results for the other bundles were
    /// in the cache.
    public internal(set) var triedBundleCount = 0
  }

  /// Finds the plug-ins of all bundles.
  ///
  /// A bundle is tested only if it has changed since its result was stored in the cache.
  ///
  /// A cache that cannot be read or written is ignored.
  ///
  /// - Returns: the plug-ins and faults. If two plug-ins have the same URI, the one with the first
  ///   bundle path is used.
  /// - Throws: `LV2Error.cannotTry` if the program cannot be started.
  public func findings() throws(LV2Error) -> Findings {
    let kept = LV2Cache.read(cache)
    var cached: [LV2Cache.Bundle] = []
    var fresh: [LV2Cache.Bundle] = []
    for bundle in bundles() {
      if let known = kept[bundle.path], known.stamp == bundle.stamp {
        cached.append(known)
      } else {
        fresh.append(bundle)
      }
    }
    let tried = try tryOut(fresh)
    if !tried.isEmpty || cached.count != kept.count { LV2Cache.write(cached + tried, to: cache) }
    var findings = Findings()
    findings.triedBundleCount = tried.count
    var places: [String: String] = [:]
    for bundle in (cached + tried).sorted(by: { $0.path < $1.path }) {
      if bundle.plugins.isEmpty { findings.problems.append(.emptyBundle(path: bundle.path)) }
      for plugin in bundle.plugins {
        if let first = places[plugin.uri] {
          findings.problems.append(.twice(uri: plugin.uri, path: bundle.path, first: first))
        } else {
          places[plugin.uri] = bundle.path
          findings.plugins.append(plugin)
        }
      }
    }
    findings.plugins.sort { $0.uri < $1.uri }
    return findings
  }

  /// Returns the bundles in the folders, each with its stamp.
  private func bundles() -> [LV2Cache.Bundle] {
    var bundles: [LV2Cache.Bundle] = []
    for folder in folders {
      for name in FolderListing.readableNames(in: folder) ?? [] {
        let path = FolderListing.path(folder, name)
        guard let stamp = LV2Cache.stamp(of: path) else { continue }
        bundles.append(LV2Cache.Bundle(path: path, stamp: stamp))
      }
    }
    return bundles
  }

  /// Tests bundles.
  ///
  /// If a plug-in ends the process, another process tests the rest without that plug-in.
  private func tryOut(_ bundles: [LV2Cache.Bundle]) throws(LV2Error) -> [LV2Cache.Bundle] {
    var tried = bundles
    var left = Array(bundles.indices)
    var skipped: [String] = []
    while !left.isEmpty {
      var running: String?
      var answered: Set<Int> = []
      var hasAnswered = false
      let arguments = skipped.flatMap { ["--not", $0] } + left.map { bundles[$0].path }
      let end = try TrialProcess.run(
        command + arguments, secondsOfSilence: running == nil ? secondsOfReading : seconds
      ) { line in
        let answer = Answer(line)
        if answer != nil { hasAnswered = true }
        switch answer {
        case .tries(let uri): running = uri
        case .plugin(let plugin):
          running = nil
          guard let place = left.first(where: { Self.isIn(plugin, bundles[$0]) }) else { return }
          tried[place].plugins.append(plugin)
        case .bundle(let path):
          running = nil
          if let place = left.first(where: { bundles[$0].path == path }) { answered.insert(place) }
        case nil: break
        }
      }
      left.removeAll { answered.contains($0) }
      guard end != nil || !left.isEmpty else { break }
      guard end != nil || hasAnswered else {
        throw .cannotTry(command: command.first ?? "", reason: "no answer")
      }
      for place in left { tried[place].plugins = [] }
      // If no plug-in was being tested, the first bundle is left out.
      guard let culprit = running else {
        if !left.isEmpty { left.removeFirst() }
        continue
      }
      skipped.append("\(culprit)=\(end ?? TrialProcess.ownEnd)")
    }
    return tried
  }

  private static func isIn(_ plugin: LV2Plugin, _ bundle: LV2Cache.Bundle) -> Bool {
    plugin.bundle == bundle.path || plugin.bundle == bundle.path + "/"
  }

  /// A line of the testing process's output.
  private enum Answer {
    case tries(String)
    case plugin(LV2Plugin)
    case bundle(String)

    init?(_ line: String) {
      if line.hasPrefix("try ") {
        self = .tries(String(line.dropFirst(4)))
      } else if line.hasPrefix("end ") {
        self = .bundle(String(line.dropFirst(4)))
      } else if let plugin = LV2Plugin(text: line) {
        self = .plugin(plugin)
      } else {
        return nil
      }
    }
  }
}

extension LV2Discovery {
  /// Tests plug-ins in this process, and reports each result as one line.
  ///
  /// The program in `command` must call this function.
  ///
  /// - Parameters:
  ///   - arguments: the arguments that follow those in `command`.
  ///   - say: writes a line to standard output and flushes it.
  /// - Throws: `LV2Error.libraryMissing`.
  public static func answer(_ arguments: [String], _ say: (String) -> Void) throws(LV2Error) {
    TrialProcess.endWithParent()
    var given = arguments[...]
    var ends: [String: String] = [:]
    while given.first == "--not", given.count > 1 {
      let text = given[given.startIndex + 1]
      let sign = text.lastIndex(of: "=") ?? text.endIndex
      ends[String(text[..<sign])] = String(text[sign...].dropFirst())
      given = given.dropFirst(2)
    }
    for bundle in given {
      let world = try LV2World(bundles: [bundle])
      for var plugin in world.plugins {
        if let end = ends[plugin.uri] {
          plugin.refusal = .crashes(how: end)
        } else if plugin.refusal == nil {
          say("try " + plugin.uri)
          do { try LV2Unit.rehearse(plugin, in: world) } catch {
            plugin.refusal = .fails(reason: "\(error)")
          }
        }
        say(plugin.text)
      }
      say("end " + bundle)
    }
  }
}
