// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// The graph of a song: each instrument's dry sound and the returns of its effects, and the clips,
/// on strips of a mixer, what is sent to buses too; and a limiter at the head.
///
/// An instrument whose tracks are heard apart has a mixer and a limiter of its own, whose sound comes
/// out on the channels behind the others'.
struct SessionMix {
  /// The channels of the mix: left and right.
  static let channelCount = 2
  /// What no peak exceeds, in decibels of full scale: −1, and a tenth in which meters differ.
  static let ceiling: Float = -1.1

  let plan: RenderPlan
  let mixer: MixerUnit
  /// At the head; nil where what comes out may exceed full scale.
  let limiter: LimiterUnit?
  /// The mixers of the instruments that are heard apart.
  let apart: [MixerUnit]
  /// The strips that each instrument has.
  let busCount: Int
  /// The strip of the first unit of the program's own.
  let firstOwnStrip: Int

  /// Wires instruments, or what stands in for them.
  ///
  /// - Parameters:
  ///   - sources: the instruments.
  ///   - clips: the unit that plays clips, where notes start some.
  ///   - apart: the instruments of each pair of channels that some tracks have of their own.
  ///   - own: units of the program's own, of which the first bus is heard.
  ///   - settings: what the sound is made with.
  ///   - effects: units behind others, or behind the sum, in order.
  ///   - registry: who makes the units of the settings' effects.
  ///   - limits: whether peaks are kept below −1 dB of full scale.
  /// - Throws: `GraphError` where the instruments do not go together.
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
  /// Adds instruments with a mixer and a limiter of their own; returns where they come out.
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

  /// Adds what gives the channels of nodes side by side.
  fileprivate mutating func merge(_ nodes: [Node]) throws(GraphError) -> Node {
    let merger = add(
      MergerUnit(
        name: "outputs",
        channelCounts: Array(repeating: SessionMix.channelCount, count: nodes.count)))
    for (input, node) in nodes.enumerated() { try connect(node, to: merger, input: input) }
    return merger
  }
}
