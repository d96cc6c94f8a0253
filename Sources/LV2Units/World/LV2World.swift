// SPDX-License-Identifier: Apache-2.0
internal import CLilv
internal import Synchronization

/// The LV2 plug-ins of this machine, by what their files say of them.
///
/// Lilv reads the files, and is opened when the first world is made. No plug-in is loaded until a unit
/// is made of it.
///
/// - Note: Control side, any thread; one thread at a time is let in.
public final class LV2World: Sendable {
  private let handle: Mutex<LilvHandle>
  /// The plug-ins, in the order of their URIs.
  public let plugins: [LV2Plugin]
  /// What is wrong with bundles that were asked for.
  public let problems: [LV2Error]

  /// Reads what all bundles in the folders of `LV2_PATH`, or the system's own, say.
  ///
  /// - Throws: `LV2Error.libraryMissing`.
  /// - Complexity: O(n) in the number of plug-ins: half a millisecond each.
  public convenience init() throws(LV2Error) {
    try self.init(nil)
  }

  /// Reads what some bundles say, and no others.
  ///
  /// - Parameter bundles: their folders.
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

  /// Lets nobody else in meanwhile.
  func withHandle<Result, Failure: Error>(
    _ body: (borrowing LilvHandle) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try handle.withLock { handle throws(Failure) in try body(handle) }
  }
}

extension LV2World {
  /// The plug-in of a name: its URI, the end of its URI, or its own name; upper and lower case, and
  /// what stands between words, are the same.
  ///
  /// `mda-epiano` is `http://drobilla.net/plugins/mda/EPiano`.
  ///
  /// - Throws: `LV2Error.noSuchPlugin`, `LV2Error.ambiguous`.
  public func plugin(named name: String) throws(LV2Error) -> LV2Plugin {
    try LV2Plugin.find(name, among: plugins)
  }
}

extension LV2Plugin {
  /// The plug-in of a name among some, as `LV2World.plugin` finds it.
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

  /// The plug-ins of whose URI or name a text is a part; none of an empty one.
  package static func near(_ text: String, among plugins: [LV2Plugin]) -> [LV2Plugin] {
    let part = words(text)
    return part.isEmpty ? [] : plugins.filter { words($0.uri + " " + $0.name).contains(part) }
  }

  /// Letters and digits in lower case, with a hyphen for whatever stands between them.
  static func words(_ text: String) -> String {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
  }
}
