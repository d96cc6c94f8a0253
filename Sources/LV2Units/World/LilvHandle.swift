// SPDX-License-Identifier: Apache-2.0
internal import CLilv
internal import FileNames

/// The owner of one `LilvWorld`: what is known of plug-ins, and their presets.
///
/// One thread at a time.
@safe
struct LilvHandle: ~Copyable {
  let table: UnsafePointer<CLilvTable>
  let world: OpaquePointer

  init() throws(LV2Error) {
    guard let table = unsafe clilv_table() else {
      throw unsafe .libraryMissing(reason: String(cString: clilv_missing()))
    }
    guard let world = unsafe table.pointee.world_new() else {
      throw .libraryMissing(reason: "it cannot be started")
    }
    unsafe self.table = table
    unsafe self.world = world
  }

  deinit {
    unsafe table.pointee.world_free(world)
  }

  /// Reads what the folders of `LV2_PATH`, or the system's own, say.
  func loadAll() { unsafe table.pointee.world_load_all(world) }

  /// Reads what some bundles say, and what they are said in.
  func load(bundles: [String]) {
    for path in bundles {
      let folder = path.hasSuffix("/") ? path : path + "/"
      let node = folder.withSystemPath { unsafe table.pointee.new_file_uri(world, nil, $0) }
      guard let node = unsafe node else { continue }
      unsafe table.pointee.world_load_bundle(world, node)
      unsafe table.pointee.node_free(node)
    }
    unsafe table.pointee.world_load_specifications(world)
    unsafe table.pointee.world_load_plugin_classes(world)
  }

  /// Calls a closure with the node of a URI, which is there for as long as the call lasts.
  func withURI<Result>(_ uri: String, _ body: (OpaquePointer) -> Result) -> Result? {
    guard let node = unsafe table.pointee.new_uri(world, uri) else { return nil }
    defer { unsafe table.pointee.node_free(node) }
    return unsafe body(node)
  }

  /// The plug-in of a URI.
  func plugin(_ uri: String) -> OpaquePointer? {
    let all = unsafe table.pointee.world_get_all_plugins(world)
    return unsafe withURI(uri) { unsafe table.pointee.plugins_get_by_uri(all, $0) } ?? nil
  }

  /// Calls a closure with each plug-in.
  func forEachPlugin(_ body: (OpaquePointer) -> Void) {
    let all = unsafe table.pointee.world_get_all_plugins(world)
    var place = unsafe table.pointee.plugins_begin(all)
    while unsafe !table.pointee.plugins_is_end(all, place) {
      if let plugin = unsafe table.pointee.plugins_get(all, place) { unsafe body(plugin) }
      unsafe place = table.pointee.plugins_next(all, place)
    }
  }

  /// The text of a node that is not ours to free.
  func text(_ node: OpaquePointer?) -> String? {
    guard let node = unsafe node, let text = unsafe table.pointee.node_as_string(node) else {
      return nil
    }
    return unsafe String(cString: text)
  }

  /// The text of a node, which is freed.
  func textFreeing(_ node: OpaquePointer?) -> String? {
    defer { unsafe table.pointee.node_free(node) }
    return unsafe text(node)
  }

  /// The number of a node, which is freed; nil where there is none, or it is not finite.
  func numberFreeing(_ node: OpaquePointer?) -> Float? {
    guard let node = unsafe node else { return nil }
    defer { unsafe table.pointee.node_free(node) }
    let number = unsafe table.pointee.node_as_float(node)
    return number.isFinite ? number : nil
  }

  /// The path that a node names.
  func path(_ node: OpaquePointer?) -> String? {
    guard let node = unsafe node, let path = unsafe table.pointee.node_get_path(node, nil) else {
      return nil
    }
    defer { unsafe table.pointee.free(path) }
    return unsafe FileName.text(cString: path)
  }

  /// The texts of nodes, which are freed.
  func textsFreeing(_ nodes: UnsafeMutableRawPointer?) -> [String] {
    guard let nodes = unsafe nodes else { return [] }
    defer { unsafe table.pointee.nodes_free(nodes) }
    var texts: [String] = []
    var place = unsafe table.pointee.nodes_begin(nodes)
    while unsafe !table.pointee.nodes_is_end(nodes, place) {
      if let text = unsafe text(table.pointee.nodes_get(nodes, place)) { texts.append(text) }
      unsafe place = table.pointee.nodes_next(nodes, place)
    }
    return texts
  }
}
