// SPDX-License-Identifier: Apache-2.0
internal import CLilv
internal import Synchronization

/// The LV2 plug-ins of this machine, as their bundles describe them.
///
/// The library Lilv reads the bundles; it is loaded when the first world is created. A plug-in is
/// loaded only when a unit is created from it.
///
/// - Note: Any thread except the render thread; the methods lock, so one thread at a time runs
///   them.
public final class LV2World: Sendable {
  private let handle: Mutex<LilvHandle>
  /// The plug-ins, sorted by URI.
  public let plugins: [LV2Plugin]
  /// The faults found in the bundles that were read.
  public let problems: [LV2Error]

  /// Reads all bundles in the folders of `LV2_PATH`, or in the system's folders if this variable is
  /// not set.
  ///
  /// - Throws: `LV2Error.libraryMissing`.
  /// - Complexity: O(n) in the number of plug-ins, about half a millisecond each.
  public convenience init() throws(LV2Error) {
    try self.init(nil)
  }

  /// Reads the given bundles only.
  ///
  /// - Parameter bundles: the bundles' folders.
  /// - Throws: `LV2Error.libraryMissing`.
  public convenience init(bundles: [String]) throws(LV2Error) {
    try self.init(bundles)
  }

  private init(_ bundles: [String]?) throws(LV2Error) {
    let lilv = try LilvHandle()
    if let bundles { lilv.load(bundles: bundles) } else { lilv.loadAll() }
    let plugins = Self.read(lilv)
    self.plugins = plugins
    problems = (bundles ?? []).filter { path in
      !plugins.contains { Self.trimmed($0.bundle) == Self.trimmed(path) }
    }.map { .emptyBundle(path: $0) }
    handle = Mutex(lilv)
  }

  private static func trimmed(_ path: String) -> Substring {
    var path = path[...]
    while path.hasSuffix("/"), path.count > 1 { path.removeLast() }
    return path
  }

  private static func read(_ handle: borrowing LilvHandle) -> [LV2Plugin] {
    let nodes = PluginReader.Nodes(handle)
    var plugins: [LV2Plugin] = []
    unsafe handle.forEachPlugin { plugin in
      plugins.append(unsafe PluginReader(handle, plugin, nodes).read(handle))
    }
    return plugins.sorted { $0.uri < $1.uri }
  }

  /// Calls a closure with the Lilv handle locked.
  func withHandle<Result, Failure: Error>(
    _ body: (borrowing LilvHandle) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try handle.withLock { handle throws(Failure) in try body(handle) }
  }
}

extension LV2World {
  /// Finds a plug-in by its URI, the end of its URI, or its display name.
  ///
  /// Case and the characters between words are ignored.
  ///
  /// For example, the name `mda-epiano` finds `http://drobilla.net/plugins/mda/EPiano`.
  ///
  /// - Throws: `LV2Error.noSuchPlugin`, `LV2Error.ambiguous`.
  public func plugin(named name: String) throws(LV2Error) -> LV2Plugin {
    try LV2Plugin.find(name, among: plugins)
  }
}

extension LV2Plugin {
  /// Finds a plug-in by name in a list, by the rules of `LV2World.plugin(named:)`.
  ///
  /// - Throws: `LV2Error.noSuchPlugin`, `LV2Error.ambiguous`.
  public static func find(_ name: String, among plugins: [LV2Plugin]) throws(LV2Error) -> LV2Plugin
  {
    if let plugin = plugins.first(where: { $0.uri == name }) { return plugin }
    let wanted = words(name)
    let exact = plugins.filter { words($0.uri) == wanted || words($0.name) == wanted }
    let found = exact.isEmpty ? plugins.filter { words($0.uri).hasSuffix("-" + wanted) } : exact
    if wanted.isEmpty || found.isEmpty {
      throw .noSuchPlugin(name, near: near(name, among: plugins).prefix(4).map(\.shortName))
    }
    guard found.count == 1 else { throw .ambiguous(name, uris: found.map(\.uri)) }
    return found[0]
  }

  /// Returns the plug-ins whose URI or name contains a text; none for an empty text.
  package static func near(_ text: String, among plugins: [LV2Plugin]) -> [LV2Plugin] {
    let part = words(text)
    return part.isEmpty ? [] : plugins.filter { words($0.uri + " " + $0.name).contains(part) }
  }

  /// Returns the letters and digits in lower case, with one hyphen for each run of other
  /// characters.
  static func words(_ text: String) -> String {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
  }
}
