// SPDX-License-Identifier: Apache-2.0
internal import CLilv
internal import FileNames

/// Owner of one `LilvWorld`: the descriptions of plug-ins, and their presets.
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

  /// Reads the bundles in the folders of `LV2_PATH`, or in the system's folders if it is not set.
  func loadAll() { unsafe table.pointee.world_load_all(world) }

  /// Reads the given bundles, the LV2 specifications and the plug-in classes.
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

  /// Calls a closure with the node of a URI, which is valid only during the call.
  func withURI<Result>(_ uri: String, _ body: (OpaquePointer) -> Result) -> Result? {
    guard let node = unsafe table.pointee.new_uri(world, uri) else { return nil }
    defer { unsafe table.pointee.node_free(node) }
    return unsafe body(node)
  }

  /// Returns the plug-in with a URI; nil if unknown.
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

  /// Returns the text of a node that the caller does not own.
  func text(_ node: OpaquePointer?) -> String? {
    guard let node = unsafe node, let text = unsafe table.pointee.node_as_string(node) else {
      return nil
    }
    return unsafe String(cString: text)
  }

  /// Returns the text of a node, and frees the node.
  func textFreeing(_ node: OpaquePointer?) -> String? {
    defer { unsafe table.pointee.node_free(node) }
    return unsafe text(node)
  }

  /// Returns the number of a node, and frees the node; nil without a node, or if the number is not
  /// finite.
  func numberFreeing(_ node: OpaquePointer?) -> Float? {
    guard let node = unsafe node else { return nil }
    defer { unsafe table.pointee.node_free(node) }
    let number = unsafe table.pointee.node_as_float(node)
    return number.isFinite ? number : nil
  }

  /// Returns the path of a file node.
  func path(_ node: OpaquePointer?) -> String? {
    guard let node = unsafe node, let path = unsafe table.pointee.node_get_path(node, nil) else {
      return nil
    }
    defer { unsafe table.pointee.free(path) }
    return unsafe FileName.text(cString: path)
  }

  /// Returns the texts of nodes, and frees the nodes.
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
