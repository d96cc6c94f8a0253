// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The ways in which an environment places a source.
public enum AVAudio3DMixingRenderingAlgorithm: Int, Sendable {
  /// Levels of two loudspeakers.
  case equalPowerPanning = 0
  /// A model of the head; here the responses of a head.
  case sphericalHead = 1
  /// The responses of a head.
  case HRTF = 2
  /// Levels of loudspeakers around the listener; here of two.
  case soundField = 3
  /// Mono and stereo sound pass without a place.
  case stereoPassThrough = 5
  /// The responses of a head; the same as `HRTF` here.
  case HRTFHQ = 6
  /// The algorithm that fits the output.
  case auto = 7
}

/// The kinds of source in an environment.
public enum AVAudio3DMixingSourceMode: Int, Sendable {
  /// The directions of the channels, relative to the listener, are those of their loudspeakers.
  case spatializeIfMono = 0
  /// The sound passes without a place.
  case bypass = 1
  /// All channels are one source.
  case pointSource = 2
  /// The channels are a bed around the listener.
  case ambienceBed = 3
}

/// The treatment of a source inside of the listener's head.
public enum AVAudio3DMixingPointSourceInHeadMode: Int, Sendable {
  /// The sound is mono in both ears.
  case mono = 0
  /// The sound passes.
  case bypass = 1
}

/// A node that can be a source in an `AVAudioEnvironmentNode`.
///
/// Only environments use these values.
public protocol AVAudio3DMixing: NSObjectProtocol {
  /// The way in which the source is placed; `equalPowerPanning` by default.
  var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm { get set }
  /// The kind of source; `spatializeIfMono` by default.
  var sourceMode: AVAudio3DMixingSourceMode { get set }
  /// The treatment of a source inside of the head; `mono` by default.
  var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode { get set }
  /// The playback rate, 0.5…2; it is stored, but not used.
  var rate: Float { get set }
  /// The share of the sound that goes to the reverb of the environment, 0…1; 0 by default.
  var reverbBlend: Float { get set }
  /// The attenuation of the direct sound in decibels, −100…0; 0 by default.
  var obstruction: Float { get set }
  /// The attenuation of the direct sound and of the reverb in decibels, −100…0; 0 by default.
  var occlusion: Float { get set }
  /// The place; the origin by default.
  var position: AVAudio3DPoint { get set }
}

/// The values of a source in an environment.
struct SpatialPlace: Hashable {
  var algorithm = AVAudio3DMixingRenderingAlgorithm.equalPowerPanning
  var mode = AVAudio3DMixingSourceMode.spatializeIfMono
  var inHead = AVAudio3DMixingPointSourceInHeadMode.mono
  var rate: Float = 1 {
    didSet { rate = rate.held(in: 0.5...2, else: 1) }
  }
  var reverbBlend: Float = 0 {
    didSet { reverbBlend = reverbBlend.held(in: 0...1, else: 0) }
  }
  var obstruction: Float = 0 {
    didSet { obstruction = obstruction.held(in: -100...0, else: 0) }
  }
  var occlusion: Float = 0 {
    didSet { occlusion = occlusion.held(in: -100...0, else: 0) }
  }
  var position = AVAudio3DPoint()
}

extension AVAudio3DMixing where Self: AVAudioNode {
  /// The way in which the source is placed; `equalPowerPanning` by default.
  public var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm {
    get { levels.place.algorithm }
    set {
      changePlace { $0.algorithm = newValue }
      engine?.edit()
    }
  }

  /// The kind of source; `spatializeIfMono` by default.
  public var sourceMode: AVAudio3DMixingSourceMode {
    get { levels.place.mode }
    set {
      changePlace { $0.mode = newValue }
      engine?.edit()
    }
  }

  /// The treatment of a source inside of the head; `mono` by default.
  public var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode {
    get { levels.place.inHead }
    set { changePlace { $0.inHead = newValue } }
  }

  /// The playback rate, 0.5…2; it is stored, but not used.
  public var rate: Float {
    get { levels.place.rate }
    set { changePlace { $0.rate = newValue } }
  }

  /// The share of the sound that goes to the reverb of the environment, 0…1; 0 by default.
  public var reverbBlend: Float {
    get { levels.place.reverbBlend }
    set { changePlace { $0.reverbBlend = newValue } }
  }

  /// The attenuation of the direct sound in decibels, −100…0; 0 by default.
  public var obstruction: Float {
    get { levels.place.obstruction }
    set { changePlace { $0.obstruction = newValue } }
  }

  /// The attenuation of the direct sound and of the reverb in decibels, −100…0; 0 by default.
  public var occlusion: Float {
    get { levels.place.occlusion }
    set { changePlace { $0.occlusion = newValue } }
  }

  /// The place; the origin by default.
  public var position: AVAudio3DPoint {
    get { levels.place.position }
    set { changePlace { $0.position = newValue } }
  }

  private func changePlace(_ body: (inout SpatialPlace) -> Void) {
    changeLevels { body(&$0.place) }
  }
}
