// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// The graph of a song: a mixer with strips for the instruments, their effects, clips and buses,
/// and a limiter at the head.
///
/// Instruments of separate tracks have a separate mixer and limiter, whose output follows on the
/// next pair of channels.
struct SessionMix {
  /// The number of channels of the mix: left and right.
  static let channelCount = 2
  /// The ceiling of the limiter, in dBFS: −1, minus 0.1 because meters differ.
  static let ceiling: Float = -1.1

  let plan: RenderPlan
  let mixer: MixerUnit
  /// The limiter at the head; nil if the output may exceed full scale.
  let limiter: LimiterUnit?
  /// The mixers of separate tracks, one for each pair of channels.
  let apart: [MixerUnit]
  /// The number of strips of each instrument.
  let busCount: Int
  /// The strip of the first custom unit.
  let firstOwnStrip: Int

  /// Connects instruments, or sources that represent them.
  ///
  /// - Parameters:
  ///   - sources: The instruments.
  ///   - clips: The unit that plays clips; nil without clips.
  ///   - apart: The instruments of each separate pair of channels.
  ///   - own: Custom units; the first bus of each is used.
  ///   - settings: The settings of the synthesiser and effects.
  ///   - effects: Effects after a unit, or, with nil, after the mix, in order.
  ///   - registry: The registry that makes the units of effects.
  ///   - limits: True to limit peaks to −1 dBFS.
  /// - Throws: `GraphError` if the instruments do not fit together.
  init(
    _ sources: [any ProcessingUnit], clips: (any ProcessingUnit)? = nil,
    apart: [[any ProcessingUnit]] = [], own: [any ProcessingUnit] = [], _ settings: SessionSettings,
    effects: [(any ProcessingUnit, behind: (any ProcessingUnit)?)] = [],
    by registry: UnitRegistry = .standard, limits: Bool = true
  ) throws {
    let buses = settings.instrumentBuses
    busCount = buses.count
    let stripCount = sources.count * buses.count + (clips == nil ? 0 : 1)
    mixer = MixerUnit(
      channelCounts: Array(repeating: 2, count: stripCount)
        + own.map { $0.outputChannelCounts.first ?? 2 } + settings.buses.map { _ in 2 },
      trim: settings.gain, rate: settings.rate)
    limiter = limits ? LimiterUnit(ceiling: Self.ceiling, rate: settings.rate) : nil
    var graph = AudioGraph()
    let sum = graph.add(mixer)
    for (place, source) in sources.enumerated() {
      let node = graph.add(source)
      for (strip, bus) in buses.enumerated() {
        try graph.connect(node, output: bus, to: sum, input: place * buses.count + strip)
      }
    }
    if let clips {
      try graph.connect(graph.add(clips), to: sum, input: stripCount - 1)
    }
    firstOwnStrip = stripCount
    for (place, unit) in own.enumerated() {
      try graph.connect(graph.add(unit), to: sum, input: stripCount + place)
    }
    for (place, bus) in settings.buses.enumerated() {
      try graph.add(
        bus, of: own, to: sum, input: stripCount + own.count + place, by: registry,
        rate: settings.rate)
    }
    var ends = [sum]
    if let limiter {
      ends = [graph.add(limiter)]
      try graph.connect(sum, to: ends[0])
    }
    self.apart = apart.indices.map { index in
      MixerUnit(
        name: "mixer \(index + 2)",
        channelCounts: Array(repeating: 2, count: apart[index].count * buses.count),
        trim: settings.gain, rate: settings.rate)
    }
    for (mixer, sources) in zip(self.apart, apart) {
      ends.append(try graph.append(sources, buses, on: mixer, settings.rate))
    }
    try graph.setHead(ends.count == 1 ? ends[0] : graph.merge(ends))
    if let effects = settings.effects {
      try graph.insert(effects, behind: sum, by: registry, rate: settings.rate)
    }
    var chains = EffectChains()
    for (effect, unit) in effects { try chains.add(effect, behind: unit ?? mixer, to: &graph) }
    plan = try graph.compile()
  }
}

extension AudioGraph {
  /// Adds instruments with a separate mixer and limiter; returns the last node.
  fileprivate mutating func append(
    _ sources: [any ProcessingUnit], _ buses: [Int], on mixer: MixerUnit, _ rate: SampleRate
  ) throws(GraphError) -> Node {
    let sum = add(mixer)
    for (place, source) in sources.enumerated() {
      let instrument = add(source)
      for (strip, bus) in buses.enumerated() {
        try connect(instrument, output: bus, to: sum, input: place * buses.count + strip)
      }
    }
    let end = add(LimiterUnit(ceiling: SessionMix.ceiling, rate: rate))
    try connect(sum, to: end)
    return end
  }

  /// Adds a unit that outputs the channels of several nodes side by side.
  fileprivate mutating func merge(_ nodes: [Node]) throws(GraphError) -> Node {
    let merger = add(
      MergerUnit(
        name: "outputs",
        channelCounts: Array(repeating: SessionMix.channelCount, count: nodes.count)))
    for (input, node) in nodes.enumerated() { try connect(node, to: merger, input: input) }
    return merger
  }
}
