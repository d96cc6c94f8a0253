// SPDX-License-Identifier: Apache-2.0
internal import CLilv

/// Reads the description of a plug-in.
@safe
struct PluginReader: ~Copyable {
  private let table: UnsafePointer<CLilvTable>
  private let world: OpaquePointer
  private let plugin: OpaquePointer
  private let nodes: Nodes

  /// A cache of the nodes used in queries.
  @safe
  final class Nodes {
    private var byURI: [String: OpaquePointer] = unsafe [:]
    private let table: UnsafePointer<CLilvTable>
    private let world: OpaquePointer

    init(_ handle: borrowing LilvHandle) {
      unsafe table = handle.table
      unsafe world = handle.world
    }

    deinit {
      while let (_, node) = unsafe byURI.popFirst() { unsafe table.pointee.node_free(node) }
    }

    subscript(_ uri: String) -> OpaquePointer? {
      if let node = unsafe byURI[uri] { return unsafe node }
      let node = unsafe table.pointee.new_uri(world, uri)
      unsafe byURI[uri] = node
      return unsafe node
    }
  }

  init(_ handle: borrowing LilvHandle, _ plugin: OpaquePointer, _ nodes: Nodes) {
    unsafe table = handle.table
    unsafe world = handle.world
    unsafe self.plugin = plugin
    self.nodes = nodes
  }

  /// Reads the whole description.
  func read(_ handle: borrowing LilvHandle) -> LV2Plugin {
    let uri = unsafe handle.text(table.pointee.plugin_get_uri(plugin)) ?? ""
    let isWhole = unsafe table.pointee.plugin_verify(plugin) && portsAreFew(handle)
    let ports = isWhole ? readPorts(handle) : []
    let required = unsafe handle.textsFreeing(table.pointee.plugin_get_required_features(plugin))
    let features = required + values(LV2Names.core + "optionalFeature", handle)
    var result = unsafe LV2Plugin(
      uri: uri, name: handle.textFreeing(table.pointee.plugin_get_name(plugin)) ?? uri,
      author: handle.textFreeing(table.pointee.plugin_get_author_name(plugin)),
      category: category(handle),
      bundle: handle.path(table.pointee.plugin_get_bundle_uri(plugin)) ?? "",
      library: handle.path(table.pointee.plugin_get_library_uri(plugin)) ?? "",
      ports: ports, requiredFeatures: required.sorted(),
      hasWorker: features.contains(LV2Names.worker + "schedule"),
      restoresWhileRunning: features.contains(LV2Names.state + "threadSafeRestore"),
      wantsDefaultState: features.contains(LV2Names.state + "loadDefaultState"))
    result.refusal = isWhole ? refusal(of: result, handle) : .incomplete
    return result
  }

  /// Returns the category from the LV2 core class, without the suffix `Plugin`.
  private func category(_ handle: borrowing LilvHandle) -> String? {
    let words = values(LV2Names.type, handle).filter { $0.hasPrefix(LV2Names.core) }
      .map { $0.dropFirst(LV2Names.core.count) }.filter { $0.hasSuffix("Plugin") && $0 != "Plugin" }
    return words.min().map { String($0.dropLast("Plugin".count)) }
  }

  /// Returns the reason that the plug-in cannot be used; nil if it can.
  private func refusal(of plugin: LV2Plugin, _ handle: borrowing LilvHandle) -> LV2Refusal? {
    if let feature = plugin.requiredFeatures.first(where: { !LV2Names.features.contains($0) }) {
      return .feature(feature)
    }
    let options = values(LV2Names.options + "requiredOption", handle)
    if let option = options.first(where: { !LV2Names.givenOptions.contains($0) }) {
      return .option(option)
    }
    for port in plugin.ports where !port.isOptional {
      if case .other(let type) = port.kind { return .port(symbol: port.symbol, type: type) }
    }
    return plugin.outputCount == 0 ? .noSound : nil
  }

  private func values(_ predicate: String, _ handle: borrowing LilvHandle) -> [String] {
    guard let node = unsafe nodes[predicate] else { return [] }
    return unsafe handle.textsFreeing(table.pointee.plugin_get_value(plugin, node))
  }

  /// True if all port indices are below the limit.
  ///
  /// lilv allocates memory for all ports up to the largest index before it reads the others: 100
  /// bytes of text could require 34 GB.
  private func portsAreFew(_ handle: borrowing LilvHandle) -> Bool {
    guard let port = unsafe nodes[LV2Names.core + "port"],
      let index = unsafe nodes[LV2Names.core + "index"],
      let ports = unsafe table.pointee.plugin_get_value(plugin, port)
    else { return true }
    defer { unsafe table.pointee.nodes_free(ports) }
    var place = unsafe table.pointee.nodes_begin(ports)
    while unsafe !table.pointee.nodes_is_end(ports, place) {
      let number = unsafe handle.textFreeing(
        table.pointee.world_get(world, table.pointee.nodes_get(ports, place), index, nil))
      if let number = number.flatMap({ Int($0) }), number >= LV2Port.limit { return false }
      unsafe place = table.pointee.nodes_next(ports, place)
    }
    return true
  }

  private func readPorts(_ handle: borrowing LilvHandle) -> [LV2Port] {
    let count = unsafe Int(table.pointee.plugin_get_num_ports(plugin))
    let latency =
      unsafe table.pointee.plugin_has_latency(plugin)
      ? Int(table.pointee.plugin_get_latency_port_index(plugin)) : -1
    var ports: [LV2Port] = []
    for index in 0..<count {
      guard let port = unsafe table.pointee.plugin_get_port_by_index(plugin, UInt32(index)) else {
        continue
      }
      unsafe ports.append(read(port, index, reportsLatency: index == latency, handle))
    }
    return ports
  }

  private func read(
    _ port: OpaquePointer, _ index: Int, reportsLatency: Bool, _ handle: borrowing LilvHandle
  ) -> LV2Port {
    let (range, initial) = unsafe readRange(port, handle)
    let symbol = unsafe handle.text(table.pointee.port_get_symbol(plugin, port)) ?? "\(index)"
    return unsafe LV2Port(
      index: index, symbol: symbol,
      name: handle.textFreeing(table.pointee.port_get_name(plugin, port)) ?? symbol,
      isInput: isA(port, LV2Names.core + "InputPort"), kind: kind(port),
      isOptional: has(port, LV2Names.core + "connectionOptional"),
      takesMIDI: supports(port, LV2Names.midiEvent),
      takesPosition: supports(port, LV2Names.time + "Position"),
      reportsLatency: reportsLatency, unit: readUnit(port, handle), range: range,
      initialValue: initial, isTimesRate: has(port, LV2Names.core + "sampleRate"),
      isInteger: has(port, LV2Names.core + "integer"),
      isToggle: has(port, LV2Names.core + "toggled"),
      isEnumeration: has(port, LV2Names.core + "enumeration"),
      isLogarithmic: has(port, LV2Names.logarithmic), scalePoints: readPoints(port, handle))
  }

  private func isA(_ port: OpaquePointer, _ uri: String) -> Bool {
    unsafe table.pointee.port_is_a(plugin, port, nodes[uri])
  }

  private func has(_ port: OpaquePointer, _ uri: String) -> Bool {
    unsafe table.pointee.port_has_property(plugin, port, nodes[uri])
  }

  private func supports(_ port: OpaquePointer, _ uri: String) -> Bool {
    unsafe table.pointee.port_supports_event(plugin, port, nodes[uri])
  }

  private func kind(_ port: OpaquePointer) -> LV2Port.Kind {
    if unsafe isA(port, LV2Names.core + "AudioPort") { return .audio }
    if unsafe isA(port, LV2Names.core + "ControlPort") { return .control }
    if unsafe isA(port, LV2Names.atom + "AtomPort") { return .events }
    if unsafe isA(port, LV2Names.core + "CVPort") { return .other("control voltage") }
    return .other("unknown")
  }

  /// Returns the range and the initial value, corrected if they are inconsistent.
  private func readRange(
    _ port: OpaquePointer, _ handle: borrowing LilvHandle
  ) -> (ClosedRange<Float>, Float) {
    var ends: (OpaquePointer?, OpaquePointer?, OpaquePointer?) = (nil, nil, nil)
    unsafe table.pointee.port_get_range(plugin, port, &ends.0, &ends.1, &ends.2)
    let initial = unsafe handle.numberFreeing(ends.0)
    let least = unsafe handle.numberFreeing(ends.1)
    let most = unsafe handle.numberFreeing(ends.2)
    let low = least ?? min(0, initial ?? 0, most ?? 0)
    let high = most ?? max(1, initial ?? 1, low)
    let range = min(low, high)...max(low, high)
    let first = initial ?? (range.contains(0) ? 0 : range.lowerBound)
    return (range, min(range.upperBound, max(range.lowerBound, first)))
  }

  /// Returns the symbol of a port's unit.
  private func readUnit(_ port: OpaquePointer, _ handle: borrowing LilvHandle) -> String? {
    let node = unsafe table.pointee.port_get(plugin, port, nodes[LV2Names.units + "unit"])
    guard let uri = unsafe handle.textFreeing(node), uri.hasPrefix(LV2Names.units) else {
      return nil
    }
    let word = String(uri.dropFirst(LV2Names.units.count))
    let signs = [
      "db": "dB", "hz": "Hz", "khz": "kHz", "mhz": "MHz", "pc": "%", "cent": "cents",
      "coef": "factor", "degree": "°", "semitone12TET": "semitones", "bpm": "BPM", "oct": "octaves",
    ]
    return signs[word] ?? word
  }

  private func readPoints(
    _ port: OpaquePointer, _ handle: borrowing LilvHandle
  ) -> [LV2Port.ScalePoint] {
    guard let all = unsafe table.pointee.port_get_scale_points(plugin, port) else { return [] }
    defer { unsafe table.pointee.scale_points_free(all) }
    var points: [LV2Port.ScalePoint] = []
    var place = unsafe table.pointee.scale_points_begin(all)
    while unsafe !table.pointee.scale_points_is_end(all, place) {
      let point = unsafe table.pointee.scale_points_get(all, place)
      let value = unsafe table.pointee.node_as_float(table.pointee.scale_point_get_value(point))
      if let label = unsafe handle.text(table.pointee.scale_point_get_label(point)) {
        points.append(LV2Port.ScalePoint(label: label, value: value))
      }
      unsafe place = table.pointee.scale_points_next(all, place)
    }
    return points.sorted { $0.value < $1.value }
  }
}
