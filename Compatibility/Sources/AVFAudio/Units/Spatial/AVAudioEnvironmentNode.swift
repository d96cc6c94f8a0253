// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// The kinds of outputs for which an environment renders.
public enum AVAudioEnvironmentOutputType: Int, Sendable {
  /// The kind is not specified: the environment renders for loudspeakers.
  case auto = 0
  /// Headphones.
  case headphones = 1
  /// The built-in loudspeakers of the machine.
  case builtInSpeakers = 2
  /// External loudspeakers.
  case externalSpeakers = 3
}

/// A mixer that places mono sources in the space around a listener.
///
/// The `renderingAlgorithm` of a source selects panning or measured head responses (HRTF). Stereo
/// sources pass through unless their `sourceMode` is `pointSource`. Values outside their ranges are
/// clamped.
///
/// - Note: Any thread. A moved source or listener reaches the new position within 20 ms.
open class AVAudioEnvironmentNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
  private struct Values {
    var listener = ListenerFrame()
    var output: Float = 1
    var outputType = AVAudioEnvironmentOutputType.auto
  }

  private let values = Mutex(Values())
  /// The present units; used under the lock.
  private let current = NSLock()
  private var units: EnvironmentUnits?

  /// The settings by which sources become quieter with distance.
  public let distanceAttenuationParameters = AVAudioEnvironmentDistanceAttenuationParameters()
  /// The settings of the reverb.
  public let reverbParameters = AVAudioEnvironmentReverbParameters()

  /// Creates an environment whose listener is at the origin and looks along −z.
  override public init() {
    super.init()
    distanceAttenuationParameters.setOwner(self)
    reverbParameters.setOwner(self)
  }

  /// The number of the lowest input that is not connected.
  open var nextAvailableInputBus: AVAudioNodeBus { engine?.freeInput(of: self) ?? 0 }

  /// The number of inputs: the number of the last connected input plus 1, at least 1.
  override open var numberOfInputs: Int { engine?.inputCount(of: self) ?? 1 }

  private func change(_ body: (inout Values) -> Void) {
    values.withLock { body(&$0) }
    engine?.levelsChanged()
  }

  /// The volume of the output, as a linear factor of 0…16; 1 by default.
  open var outputVolume: Float {
    get { values.withLock(\.output) }
    set { change { $0.output = newValue.held(in: 0...16, else: 0) } }
  }

  /// The kind of the output; `auto` by default.
  ///
  /// Sources with the algorithm `auto` use head responses (HRTF) if the output is `headphones`, and
  /// panning otherwise.
  open var outputType: AVAudioEnvironmentOutputType {
    get { values.withLock(\.outputType) }
    set {
      values.withLock { $0.outputType = newValue }
      engine?.edit()
    }
  }

  /// The position of the listener; the origin by default.
  open var listenerPosition: AVAudio3DPoint {
    get { values.withLock(\.listener.position) }
    set { change { $0.listener.position = newValue } }
  }

  /// The orientation of the listener, as two vectors.
  ///
  /// By default `forward` is −z and `up` is y. Vectors that do not define a direction are ignored.
  open var listenerVectorOrientation: AVAudio3DVectorOrientation {
    get { values.withLock(\.listener.orientation) }
    set { change { $0.listener.turn(to: newValue) } }
  }

  /// The orientation of the listener, as three angles; all are 0 by default.
  ///
  /// The yaw is applied first, then the pitch, then the roll.
  open var listenerAngularOrientation: AVAudio3DAngularOrientation {
    get { values.withLock(\.listener.angles) }
    set { change { $0.listener.turn(to: newValue) } }
  }

  /// The available algorithms, as raw values of `AVAudio3DMixingRenderingAlgorithm`.
  ///
  /// The algorithms that use head responses (HRTF) require libmysofa.
  open var applicableRenderingAlgorithms: [NSNumber] {
    var algorithms: [AVAudio3DMixingRenderingAlgorithm] = [
      .equalPowerPanning, .soundField, .stereoPassThrough, .auto,
    ]
    if HeadLibrary.responses(engine?.rate ?? .hertz44100) != nil {
      algorithms += [.sphericalHead, .HRTF, .HRTFHQ]
    }
    return algorithms.map { NSNumber(value: $0.rawValue) }
  }

  // MARK: For the engine

  override var hasAnyInputs: Bool { true }

  override func unitChannelCount(_ format: AVAudioFormat?) -> Int { 2 }

  override func unitVersion(_ sources: [Int: AVAudioNode]) -> Int {
    let hasHead = sources.values.contains { way(of: $0.levels.place, isMono: true) == .byHead }
    return super.unitVersion(sources) &* 2 &+ (hasHead ? 1 : 0)
  }

  override func makeUnit(_ shape: UnitShape) -> (any ProcessingUnit)? {
    let reverb = reverbParameters.enable ? reverbParameters.makeUnits(shape.stereo) : []
    do {
      let made = try EnvironmentUnits(shape, hasHead: shape.version & 1 == 1, reverb: reverb)
      current.withLock { units = made }
      return made.unit
    } catch {
      return nil
    }
  }

  override func setLevels(_ unit: any ProcessingUnit, _ sources: [Int: AVAudioNode]) {
    guard let units = current.withLock({ units }), units.unit === unit else { return }
    let values = values.withLock { $0 }
    let seconds: Double? = units.isFresh ? 0 : nil
    for (input, source) in sources {
      let isMono = input < unit.inputChannelCounts.count && unit.inputChannelCounts[input] == 1
      units.set(input, levels(source.levels, values.listener, isMono: isMono, units), over: seconds)
    }
    let reverb = Float(pow(10, Double(min(24, reverbParameters.level)) / 20))
    units.set(output: values.output, reverb: reverb, over: seconds)
    units.isFresh = false
  }

  private enum Way {
    case panned, byHead, passed
  }

  /// The way in which a source sounds.
  private func way(of place: SpatialPlace, isMono: Bool) -> Way {
    guard place.mode == .pointSource || place.mode == .spatializeIfMono && isMono else {
      return .passed
    }
    switch place.algorithm {
    case .equalPowerPanning, .soundField: return .panned
    case .stereoPassThrough: return .passed
    case .sphericalHead, .HRTF, .HRTFHQ: return .byHead
    case .auto: return outputType == .headphones ? .byHead : .panned
    }
  }

  /// The levels of a source, from its values and the listener's.
  private func levels(
    _ source: MixingLevels, _ listener: ListenerFrame, isMono: Bool, _ units: EnvironmentUnits
  ) -> EnvironmentUnits.Levels {
    let place = source.place
    var (way, spot) = (way(of: place, isMono: isMono), listener.place(of: place.position))
    if way == .byHead, !units.hasScene { way = .panned }
    // A source inside of the head does not have a direction.
    if spot.distance < 0.01 {
      if way != .passed, place.inHead == .bypass { way = .passed }
      (spot.azimuth, spot.elevation) = (0, 0)
    }
    let distance = way == .passed ? 1 : distanceAttenuationParameters.values.gain(at: spot.distance)
    let blend = reverbParameters.enable ? place.reverbBlend : 0
    let outer = source.volume * distance * Float(pow(10, Double(place.occlusion) / 20))
    let direct = outer * (1 - blend) * Float(pow(10, Double(place.obstruction) / 20))
    var levels = EnvironmentUnits.Levels()
    (levels.azimuth, levels.elevation) = (spot.azimuth, spot.elevation)
    (levels.reverb, levels.pan) = (outer * blend, source.pan)
    switch way {
    case .panned: levels.panned = direct
    case .byHead: levels.byHead = direct
    case .passed: levels.passed = direct
    }
    return levels
  }
}
