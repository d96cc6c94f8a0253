// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Places mono sources around a listener, for headphones (with a sense of front, back and height)
/// or for surround loudspeakers.
///
/// Each source has a direction, a distance, a sound cone and air absorption. The listener has a
/// head that turns. A source has thirteen parameters, which tracks can automate. The index of a
/// parameter of source n (from 0) is 13n plus the raw value of `Setting`. The listener's parameters
/// follow those of the last source. A change moves the number linearly. Azimuths above 180° are
/// valid: from 170° to 190° a source moves behind the listener.
///
/// Positions are computed at the end of each quantum, and the sound changes linearly between them,
/// without clicks. ``SpatialMixerUnit`` places sources between two loudspeakers and needs less
/// processing.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class SceneUnit: ParametricUnit, SavableUnit {
  /// The kinds of output of a scene.
  public enum Output: Hashable, Sendable {
    /// Headphones: one stereo bus, with head-related responses.
    case headphones(HeadResponses)
    /// Loudspeakers: one bus with a channel for each loudspeaker.
    case speakers(SpeakerLayout)
  }

  /// The parameters of a source.
  public enum Setting: Int, Sendable, CaseIterable {
    /// Azimuth of the source as seen by the listener, −3600…3600 degrees: 0 is in front and 90 to
    /// the right of a head that is not turned; default 0.
    case azimuth
    /// Elevation, −90…90 degrees: 90 is above; default 0.
    case elevation
    /// Distance, 0…10 000 m; default 1 m.
    case distance
    /// Gain, a linear factor 0…16; default 1.
    case gain
    /// Strength of the attenuation by distance, 0…10; default 1.
    case rolloff
    /// Reference distance, up to which the gain is not reduced, 0.01…10 000 m; default 1 m.
    case reference
    /// Distance from which the gain is constant, 0.01…10 000 m; default 10 000 m, or 100 m with the
    /// linear law, whose gain is 0 from this distance on.
    case farthest
    /// Azimuth of the direction in which the source faces, −3600…3600 degrees, in the listener's
    /// coordinates.
    ///
    /// With the default, 180, a source in front faces the listener.
    case facing
    /// Elevation of the direction in which the source faces, −90…90 degrees; default 0.
    case facingElevation
    /// Full angle of the inner cone, within which the level is not reduced, 0…360 degrees; default
    /// 360.
    case innerAngle
    /// Full angle of the outer cone, outside which the gain is `outerGain`, 0…360 degrees; default
    /// 360.
    case outerAngle
    /// Gain outside the outer cone, a factor 0…1; default 0.
    case outerGain
    /// Absorption of high frequencies by air beyond the reference distance, 0…10; default 0, which
    /// is off.
    ///
    /// A value of 1 is real air: at 5000 Hz the level falls by a factor of 0.994 for each metre.
    case air
  }

  /// The parameters of the listener.
  public enum ListenerSetting: Int, Sendable, CaseIterable {
    /// Turn of the head to the right, −3600…3600 degrees; default 0.
    case turn
    /// Nod of the turned head upwards, −90…90 degrees; default 0.
    case nod
    /// Tilt of the head to the right, after turn and nod, −180…180 degrees; default 0.
    case tilt
    /// Strength of the Doppler effect, 0…4; default 0, which is off.
    ///
    /// At 1 each source is delayed by the time that sound needs from its distance, at 343.3 m/s, so
    /// the pitch changes while the source moves.
    case doppler
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The number of sources.
  public let sourceCount: Int
  /// The output of the scene.
  public let output: Output
  /// The longest delay that the Doppler effect uses, in seconds.
  ///
  /// Sources for which the delay would be longer have this delay.
  public let longestDelay: Double
  /// Thirteen parameters for each source, followed by four for the listener.
  public let parameters: ParameterSet
  private let distanceLaw: DistanceLaw
  private let kernel: KernelBox<SceneKernel>

  /// Creates a scene whose sources are one metre in front of the listener.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - sourceCount: the number of mono inputs, 1…256.
  ///   - output: headphones or loudspeakers; responses must have the unit's sample rate.
  ///   - distanceLaw: the conversion of distance to gain.
  ///   - longestDelay: the longest delay that `doppler` uses, 0…10 s. Each frame of the delay needs
  ///     12 to 24 bytes of memory for each source.
  ///   - rate: the sample rate.
  /// - Complexity: O(n) in the number of sources, and in the number of directions of the responses;
  ///   responses of 512 taps need 12 MB of memory.
  public init(
    name: String = "scene", sourceCount: Int, output: Output, distanceLaw: DistanceLaw = .inverse,
    longestDelay: Double = 0.3, rate: SampleRate
  ) {
    precondition((1...256).contains(sourceCount), "a scene has 1 to 256 sources")
    precondition((0...10).contains(longestDelay), "the longest delay must be 0 to 10 s")
    if case .headphones(let responses) = output {
      precondition(responses.rate == rate, "the responses must have the sample rate of the scene")
    }
    self.name = name
    self.rate = rate
    self.sourceCount = sourceCount
    self.output = output
    self.longestDelay = longestDelay
    self.distanceLaw = distanceLaw
    parameters = ParameterSet(
      (1...sourceCount).flatMap { Self.parameters("source \($0) ", distanceLaw) }
        + Self.listenerParameters, rate: rate, unit: name, stride: SceneKernel.stride)
    kernel = unsafe KernelBox(
      SceneKernel(
        sourceCount: sourceCount, law: distanceLaw, output: output, longestDelay: longestDelay,
        rate: rate, bank: parameters.bank), SceneKernel.function)
  }

  private static func parameters(_ source: String, _ law: DistanceLaw) -> [Parameter] {
    let farthest: Float = law == .linear ? 100 : 10_000
    return [
      moving(source + "azimuth", .degrees, -3600...3600, 0),
      moving(source + "elevation", .degrees, -90...90, 0),
      moving(source + "distance", .metres, 0...10_000, 1),
      Parameter(source + "gain", .factor, 0...16, initially: 1),
      moving(source + "rolloff", .number, 0...10, 1),
      moving(source + "reference", .metres, 0.01...10_000, 1),
      moving(source + "farthest", .metres, 0.01...10_000, farthest),
      moving(source + "facing", .degrees, -3600...3600, 180),
      moving(source + "facing elevation", .degrees, -90...90, 0),
      moving(source + "inner angle", .degrees, 0...360, 360),
      moving(source + "outer angle", .degrees, 0...360, 360),
      moving(source + "outer gain", .factor, 0...1, 0),
      moving(source + "air", .number, 0...10, 0),
    ]
  }

  private static var listenerParameters: [Parameter] {
    [
      moving("turn", .degrees, -3600...3600, 0), moving("nod", .degrees, -90...90, 0),
      moving("tilt", .degrees, -180...180, 0), moving("doppler", .number, 0...4, 0),
    ]
  }

  private static func moving(
    _ name: String, _ measure: Parameter.Measure, _ range: ClosedRange<Float>, _ value: Float
  ) -> Parameter {
    Parameter(name, measure, range, initially: value, rampSeconds: 0.02)
  }

  /// The channel count of each input: one mono bus for each source.
  public var inputChannelCounts: [Int] { Array(repeating: 1, count: sourceCount) }

  /// The channel count of each output: one bus, which is stereo or has a channel for each
  /// loudspeaker.
  public var outputChannelCounts: [Int] {
    switch output {
    case .headphones: [2]
    case .speakers(let layout): [layout.azimuths.count]
    }
  }

  /// True: a source without a connection is silent.
  public var acceptsOpenInputs: Bool { true }

  /// The latency in frames: 8 for loudspeakers; for headphones the latency of the responses, which
  /// is usually 0.
  public var latency: Int {
    switch output {
    case .headphones(let responses): responses.latency
    case .speakers: FractionTable.reach
    }
  }

  /// The number of frames for which the output can sound after the sources are silent: the length
  /// of a response, plus the longest delay if `doppler` is on.
  public var tail: Int {
    let longest = Int((longestDelay * Double(parameters.rate.hertz)).rounded(.up))
    let way = self[.doppler] > 0 ? longest : 0
    switch output {
    case .headphones(let responses):
      return way + responses.tapCount + Int((responses.delays.max() ?? 0).rounded(.up))
    case .speakers: return way
    }
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit; nil for a layout without a name.
  ///
  /// Head-related responses are not included; supply them when the graph is restored
  /// (``UnitRegistry/register(headphones:)``).
  public var setup: UnitSetup? {
    guard let word = Self.word(output) else { return nil }
    return UnitSetup(
      "scene",
      [
        "sources": .count(sourceCount), "law": .word("\(distanceLaw)"), "output": .word(word),
        "longestDelay": .number(longestDelay),
      ])
  }

  /// The value of a source's parameter; during a change, the value at the end of the change.
  ///
  /// New values are limited to the parameter's range.
  public subscript(source: Int, setting: Setting) -> Float {
    get { parameters[source * SceneKernel.stride + setting.rawValue] }
    set { parameters.hold(source * SceneKernel.stride + setting.rawValue, to: newValue) }
  }

  /// The value of a parameter of the listener; during a change, the value at the end of the change.
  ///
  /// New values are limited to the parameter's range.
  public subscript(setting: ListenerSetting) -> Float {
    get { parameters[sourceCount * SceneKernel.stride + setting.rawValue] }
    set { parameters.hold(sourceCount * SceneKernel.stride + setting.rawValue, to: newValue) }
  }
}

extension SceneUnit {
  /// The layouts with names for saved graphs.
  static let layouts: [(word: String, layout: SpeakerLayout)] = [
    ("quad", .quad), ("5.1", .surround51), ("7.1", .surround71),
  ]

  /// The name of an output in a saved graph; nil if it does not have one.
  static func word(_ output: Output) -> String? {
    switch output {
    case .headphones: "headphones"
    case .speakers(let layout): layouts.first { $0.layout == layout }?.word
    }
  }
}
