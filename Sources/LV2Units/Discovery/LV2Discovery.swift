// SPDX-License-Identifier: Apache-2.0
internal import FileNames
internal import Glibc
internal import MusicalTime
internal import WholeFiles

/// Finds the plug-ins of this machine without letting them near: each is tried in a process of its own,
/// and what came of it is kept until its bundle changes.
///
/// A program that can be asked for it answers when it is started with a word of its own:
///
/// ```swift
/// let discovery = LV2Discovery(command: ["/proc/self/exe", "lv2", "try"], cache: "…/lv2.json")
/// let plugins = try discovery.findings().plugins
/// ```
///
/// and, started so, calls `answer` with what else it was given.
///
/// - Note: Control side.
public struct LV2Discovery: Sendable {
  /// The program that tries plug-ins, and its first arguments; bundles follow.
  public var command: [String]
  /// The file that what was found is kept in; nil keeps nothing.
  public var cache: String?
  /// The folders that bundles are in.
  public var folders: [String]
  /// After how many seconds a plug-in that is tried is given up.
  public var seconds: Int
  /// After how many the files of a bundle are, with all that they say of its plug-ins.
  private var secondsOfReading: Int { 12 * seconds }

  /// Where bundles are looked for where nothing is said: the folders of `LV2_PATH`, or the usual ones.
  public static var usualFolders: [String] {
    if let path = unsafe getenv("LV2_PATH") {
      return unsafe FileName.text(cString: path).split(separator: ":").map(String.init)
    }
    let home = unsafe getenv("HOME").map { unsafe FileName.text(cString: $0) + "/.lv2" }
    return [home].compactMap(\.self) + ["/usr/local/lib/lv2", "/usr/lib/lv2"]
  }

  /// Describes a discovery.
  ///
  /// - Parameters:
  ///   - command: the program that tries plug-ins, and its first arguments.
  ///   - cache: the file that what was found is kept in.
  ///   - folders: the folders that bundles are in; `usualFolders` where there are none.
  ///   - seconds: after how many seconds a plug-in that is tried is given up.
  public init(
    command: [String], cache: String? = nil, folders: [String]? = nil, seconds: Int = 10
  ) {
    self.command = command
    self.cache = cache
    self.folders = folders ?? Self.usualFolders
    self.seconds = seconds
  }

  /// What was found, and what is wrong with bundles.
  public struct Findings: Sendable {
    /// The plug-ins, in the order of their URIs.
    public internal(set) var plugins: [LV2Plugin] = []
    /// What is wrong with bundles.
    public internal(set) var problems: [LV2Error] = []
    /// How many bundles were looked into, and not only looked up.
    public internal(set) var triedBundleCount = 0
  }

  /// Finds the plug-ins: those of bundles that have not changed in the cache, and the others by trying.
  ///
  /// - Returns: what was found; of two plug-ins of one URI the first, by the order of their bundles' paths.
  /// - Throws: `LV2Error.cannotTry` where the program cannot be started. A cache that cannot be read or
  ///   written is as none.
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

  /// The bundles that there are, with what tells of a change.
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

  /// Tries bundles; a plug-in that ends the process is named, and the others are tried by another.
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
      // If no plug-in was being tried, the first bundle is left out.
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

  /// A line of what the trying process says.
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
  /// Tries plug-ins in this process, and says so line by line: what `command` is to do.
  ///
  /// - Parameters:
  ///   - arguments: what `command` was given behind its own words.
  ///   - say: writes a line to standard output at once.
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
