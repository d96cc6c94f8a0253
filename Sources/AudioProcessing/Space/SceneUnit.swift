// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Sounds around a listener: for headphones, where before, behind and above are told apart, or for
/// loudspeakers all around.
///
/// A mono source has a direction, a distance, a cone in which it is loud, and air between; the listener
/// has a head that turns. Each source has thirteen parameters, which tracks can move: those of source n
/// have the number 13n plus that of the setting; the listener's follow the last source's. A
/// movement takes the straight way through the numbers, for which an azimuth may be several turns: from
/// 170° to 190° it goes by the back.
///
/// Places are worked out at the end of each quantum, and what is heard goes from one to the next in a
/// straight line, so that nothing clicks. ``SpatialMixerUnit`` places sounds between two
/// loudspeakers at less cost.
///
/// - Note: Control side; the sound is made on the render thread.
public final class SceneUnit: ParametricUnit, SavableUnit {
  /// What the scene is heard by.
  public enum Output: Hashable, Sendable {
    /// Headphones: one stereo bus, by what a head makes of each direction.
    case headphones(HeadResponses)
    /// Loudspeakers: one bus with a channel for each.
    case speakers(SpeakerLayout)
  }

  /// The parameters of a source.
  public enum Setting: Int, Sendable, CaseIterable {
    /// The direction from the listener, −3600…3600 degrees: 0 is ahead of an unturned head, 90 to the
    /// right.
    case azimuth
    /// The height, −90…90 degrees: 90 is above.
    case elevation
    /// 0…10 000 m; 1 at first.
    case distance
    /// A linear factor, 0…16; 1 at first.
    case gain
    /// How fast the sound fades with distance, 0…10; 1 at first.
    case rolloff
    /// The distance up to which it is as loud as can be, 0.01…10 000 m; 1 at first.
    case reference
    /// The distance from which on it fades no more, 0.01…10 000 m; at first 100 with the linear law,
    /// which reaches 0 there, else 10 000.
    case farthest
    /// Where the source looks, −3600…3600 degrees, in the listener's directions: 180 at first, so
    /// that one ahead looks at the listener.
    case facing
    /// How far up it looks, −90…90 degrees; 0 at first.
    case facingElevation
    /// The whole angle within which it is at its loudest, 0…360 degrees; 360 at first.
    case innerAngle
    /// The whole angle outside which it is at its quietest, 0…360 degrees; 360 at first.
    case outerAngle
    /// The factor outside, 0…1; 0 at first.
    case outerGain
    /// How much of the treble the air takes from the reference distance on, 0…10; 1 is air, of which
    /// a metre leaves a factor of 0.994 at 5000 Hz; 0, at first, takes nothing.
    case air
  }

  /// The parameters of the listener.
  public enum ListenerSetting: Int, Sendable, CaseIterable {
    /// How far the head is turned to the right, −3600…3600 degrees; 0 at first.
    case turn
    /// How far it is lifted after that, −90…90 degrees; 0 at first.
    case nod
    /// How far it is tilted to the right after that, −180…180 degrees; 0 at first.
    case tilt
    /// How much of the time that sound takes is heard, 0…4: 1 delays each source by its way at
    /// 343.3 m/s, and so changes its pitch while it moves; 0, at first, delays nothing.
    case doppler
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// The number of sources.
  public let sourceCount: Int
  /// What the scene is heard by.
  public let output: Output
  /// The longest time that a sound is on its way, in seconds; one that stands further is heard as soon.
  public let longestDelay: Double
  /// Thirteen parameters a source, and four of the listener.
  public let parameters: ParameterSet
  private let distanceLaw: DistanceLaw
  private let kernel: KernelBox<SceneKernel>

  /// Creates a scene whose sources all stand a metre ahead.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - sourceCount: the number of mono inputs, 1…256.
  ///   - output: what it is heard by; responses have the unit's rate.
  ///   - distanceLaw: how distance becomes a gain.
  ///   - longestDelay: the longest time that a sound is on its way where `doppler` asks for it, 0…10 s:
  ///     12 bytes of memory a frame and source, and up to twice as much.
  ///   - rate: frames a second.
  /// - Complexity: O(n) in the sources, and in the directions of the responses, of which it keeps 12 MB
  ///   where they have 512 taps.
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

  /// One mono bus a source.
  public var inputChannelCounts: [Int] { Array(repeating: 1, count: sourceCount) }

  /// One bus: stereo, or a channel for each loudspeaker.
  public var outputChannelCounts: [Int] {
    switch output {
    case .headphones: [2]
    case .speakers(let layout): [layout.azimuths.count]
    }
  }

  /// A source on which nothing is connected is silent.
  public var acceptsOpenInputs: Bool { true }

  /// The frames by which all is later than it should be: 8 with loudspeakers, and with headphones as
  /// many as the responses say, mostly none.
  public var latency: Int {
    switch output {
    case .headphones(let responses): responses.latency
    case .speakers: FractionTable.reach
    }
  }

  /// The frames that a sound is on its way at most, and those of a response.
  public var tail: Int {
    let longest = Int((longestDelay * Double(parameters.rate.hertz)).rounded(.up))
    let way = self[.doppler] > 0 ? longest : 0
    switch output {
    case .headphones(let responses):
      return way + responses.tapCount + Int((responses.delays.max() ?? 0).rounded(.up))
    case .speakers: return way
    }
  }

  /// The scene's kernel.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores it; nil for a layout without a name.
  ///
  /// A head's responses are no part of it: whoever restores it has them
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

  /// The value that a parameter of a source has or moves to; what is set is held within its range.
  public subscript(source: Int, setting: Setting) -> Float {
    get { parameters[source * SceneKernel.stride + setting.rawValue] }
    set { parameters.hold(source * SceneKernel.stride + setting.rawValue, to: newValue) }
  }

  /// The value that a parameter of the listener has or moves to; what is set is held within its range.
  public subscript(setting: ListenerSetting) -> Float {
    get { parameters[sourceCount * SceneKernel.stride + setting.rawValue] }
    set { parameters.hold(sourceCount * SceneKernel.stride + setting.rawValue, to: newValue) }
  }
}

extension SceneUnit {
  /// The layouts that a saved graph has words for.
  static let layouts: [(word: String, layout: SpeakerLayout)] = [
    ("quad", .quad), ("5.1", .surround51), ("7.1", .surround71),
  ]

  /// What a saved graph calls an output; nil where it has no word for it.
  static func word(_ output: Output) -> String? {
    switch output {
    case .headphones: "headphones"
    case .speakers(let layout): layouts.first { $0.layout == layout }?.word
    }
  }
}
