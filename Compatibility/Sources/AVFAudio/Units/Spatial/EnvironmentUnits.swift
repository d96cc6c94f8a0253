// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import MusicalTime
internal import SpatialResponses
internal import Synchronization

/// The units of an environment: panning, the responses of a head, sound that passes, and a reverb.
///
/// Every input reaches all of them; gains select the one by which a source sounds.
final class EnvironmentUnits {
  /// The levels of a source.
  struct Levels {
    /// Linear factors of the three ways, and of the reverb.
    var panned: Float = 0
    var byHead: Float = 0
    var passed: Float = 0
    var reverb: Float = 0
    var pan: Float = 0
    /// Degrees.
    var azimuth = 0.0
    var elevation = 0.0
  }

  let unit: SubgraphUnit
  private let panner: SpatialMixerUnit
  /// Nil if no source sounds by the responses of a head, or they are not installed.
  private let scene: SceneUnit?
  /// A strip for each input, then those of panning, the head and the reverb.
  private let mixer: MixerUnit
  /// The sends to the reverb.
  private let sends: MixerUnit?
  private let count: Int
  /// True until the levels are set for the first time.
  var isFresh = true

  /// The most sources of a scene.
  private static let sceneLimit = 256

  /// - Parameters:
  ///   - shape: The inputs, of one or two channels.
  ///   - hasHead: True if a source sounds by the responses of a head.
  ///   - reverb: The units of the reverb, in order; empty for none.
  /// - Throws: `GraphError`.
  init(_ shape: UnitShape, hasHead: Bool, reverb: [any ProcessingUnit]) throws(GraphError) {
    let (rate, inputs) = (shape.rate, shape.inputs)
    count = inputs.count
    panner = SpatialMixerUnit(sourceCount: count, rate: rate)
    let responses = hasHead && count <= Self.sceneLimit ? HeadLibrary.responses(rate) : nil
    scene = responses.map {
      SceneUnit(sourceCount: inputs.count, output: .headphones($0), longestDelay: 0, rate: rate)
    }
    mixer = MixerUnit(channelCounts: inputs + [2, 2, 2], rate: rate)
    sends = reverb.isEmpty ? nil : MixerUnit(channelCounts: inputs, rate: rate)
    var graph = AudioGraph()
    let inlets = inputs.map { SubgraphUnit.Inlet(channelCount: $0) }
    let (end, panned) = (graph.add(mixer), graph.add(panner))
    let placed = scene.map { graph.add($0) }
    let sent = sends.map { graph.add($0) }
    for (input, inlet) in inlets.enumerated() {
      let source = graph.add(inlet)
      try graph.connect(source, to: end, input: input)
      if let sent { try graph.connect(source, to: sent, input: input) }
      var mono = source
      if inputs[input] == 2 {
        mono = graph.add(ChannelConverterUnit(from: 2, to: 1, rate: rate))
        try graph.connect(source, to: mono)
      }
      try graph.connect(mono, to: panned, input: input)
      if let placed { try graph.connect(mono, to: placed, input: input) }
    }
    try graph.connect(panned, to: end, input: count)
    if let placed { try graph.connect(placed, to: end, input: count + 1) }
    if var last = sent {
      for unit in reverb {
        let node = graph.add(unit)
        try graph.connect(last, to: node)
        last = node
      }
      try graph.connect(last, to: end, input: count + 2)
    }
    try graph.setHead(end)
    unit = try SubgraphUnit(name: "environment", graph, inlets: inlets)
    silence()
  }

  var hasScene: Bool { scene != nil }

  /// Mutes all inputs, and leaves the level of a source to the gains.
  private func silence() {
    for source in 0..<count {
      set(source, Levels(), over: 0)
      panner.parameters.hold(
        source * 5 + SpatialMixerUnit.Setting.rolloff.rawValue, to: 0, over: 0)
      hold(scene, source, .rolloff, 0, over: 0)
    }
  }

  private func hold(
    _ scene: SceneUnit?, _ source: Int, _ setting: SceneUnit.Setting, _ value: Float,
    over seconds: Double?
  ) {
    let number = source * SceneUnit.Setting.allCases.count + setting.rawValue
    scene?.parameters.hold(number, to: value, over: seconds)
  }

  /// Sets the levels of an input.
  func set(_ source: Int, _ levels: Levels, over seconds: Double?) {
    guard source < count else { return }
    func pan(_ setting: SpatialMixerUnit.Setting, _ value: Double) {
      panner.parameters.hold(source * 5 + setting.rawValue, to: Float(value), over: seconds)
    }
    // Behind the listener two loudspeakers have the levels of the mirrored place ahead.
    let side = levels.azimuth
    pan(.azimuth, abs(side) > 90 ? (side < 0 ? -180 : 180) - side : side)
    pan(.elevation, levels.elevation)
    pan(.gain, Double(levels.panned))
    hold(scene, source, .azimuth, turn(source, to: side), over: seconds)
    hold(scene, source, .elevation, Float(levels.elevation), over: seconds)
    hold(scene, source, .gain, levels.byHead, over: seconds)
    mixer.setGain(ofStrip: source, to: levels.passed, over: seconds)
    mixer.parameters.hold(5 * source + 1, to: levels.pan, over: seconds)
    sends?.setGain(ofStrip: source, to: levels.reverb, over: seconds)
  }

  /// The azimuth that is reached by the smaller turn.
  private func turn(_ source: Int, to azimuth: Double) -> Float {
    guard let scene else { return 0 }
    let now = Double(scene[source, .azimuth])
    let way = (azimuth - now).remainder(dividingBy: 360)
    return abs(now + way) < 3600 ? Float(now + way) : Float(azimuth)
  }

  /// Sets the level of the output and of the reverb, linear factors.
  func set(output: Float, reverb: Float, over seconds: Double?) {
    mixer.setGain(ofStrip: count + 2, to: reverb, over: seconds)
    mixer.setGain(ofStrip: count + 3, to: output, over: seconds)
  }
}

/// The responses of a head, read once for each rate.
enum HeadLibrary {
  private static let known = Mutex<[SampleRate: HeadResponses?]>([:])

  /// The responses at a rate; nil if libmysofa or its file is not installed.
  static func responses(_ rate: SampleRate) -> HeadResponses? {
    known.withLock { known in
      if let found = known[rate] { return found }
      var responses: HeadResponses?
      do { responses = try HeadResponses(rate: rate) } catch {
        // Sources sound by panning.
      }
      known[rate] = .some(responses)
      return responses
    }
  }
}
