// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The algorithms by which an environment gives a source its direction.
public enum AVAudio3DMixingRenderingAlgorithm: Int, Sendable {
  /// Panning between two loudspeakers, with constant power.
  case equalPowerPanning = 0
  /// A spherical head model; Downbeat uses measured head responses (HRTF) instead.
  case sphericalHead = 1
  /// Measured head responses (head-related transfer functions), for headphones.
  case HRTF = 2
  /// Panning between the loudspeakers around the listener; Downbeat uses two loudspeakers.
  case soundField = 3
  /// Mono and stereo sources pass through without a direction.
  case stereoPassThrough = 5
  /// High-quality head responses; in Downbeat the same as `HRTF`.
  case HRTFHQ = 6
  /// The algorithm that suits the output: `HRTF` for headphones, otherwise panning.
  case auto = 7
}

/// The kinds of sources in an environment.
public enum AVAudio3DMixingSourceMode: Int, Sendable {
  /// A mono source is placed in space; a source with more channels passes through.
  case spatializeIfMono = 0
  /// The source passes through without a direction.
  case bypass = 1
  /// All channels of the source are mixed to one point in space.
  case pointSource = 2
  /// The channels form a sound bed around the listener; in Downbeat they pass through.
  case ambienceBed = 3
}

/// The treatment of a point source that is inside the listener's head.
public enum AVAudio3DMixingPointSourceInHeadMode: Int, Sendable {
  /// The source is played as mono in both ears.
  case mono = 0
  /// The source passes through without a direction.
  case bypass = 1
}

/// A node that can be a source of an `AVAudioEnvironmentNode`.
///
/// These properties have an effect only if the node is connected to an environment. Values outside
/// their ranges are clamped.
public protocol AVAudio3DMixing: NSObjectProtocol {
  /// The algorithm that gives the source its direction; `equalPowerPanning` by default.
  var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm { get set }
  /// The kind of the source; `spatializeIfMono` by default.
  var sourceMode: AVAudio3DMixingSourceMode { get set }
  /// The treatment of the source when it is inside the listener's head; `mono` by default.
  var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode { get set }
  /// The playback rate, 0.5…2; 1 by default.
  ///
  /// The value is stored, but not used.
  var rate: Float { get set }
  /// The share of the sound that is sent to the environment's reverb, 0…1; 0 by default.
  var reverbBlend: Float { get set }
  /// The attenuation of the direct sound by an obstacle, in decibels, −100…0; 0 by default.
  var obstruction: Float { get set }
  /// The attenuation of both the direct sound and the reverb, in decibels, −100…0; 0 by default.
  var occlusion: Float { get set }
  /// The position of the source; the origin by default.
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
  /// The algorithm that gives the source its direction; `equalPowerPanning` by default.
  public var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm {
    get { levels.place.algorithm }
    set {
      changePlace { $0.algorithm = newValue }
      engine?.edit()
    }
  }

  /// The kind of the source; `spatializeIfMono` by default.
  public var sourceMode: AVAudio3DMixingSourceMode {
    get { levels.place.mode }
    set {
      changePlace { $0.mode = newValue }
      engine?.edit()
    }
  }

  /// The treatment of the source when it is inside the listener's head; `mono` by default.
  public var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode {
    get { levels.place.inHead }
    set { changePlace { $0.inHead = newValue } }
  }

  /// The playback rate, 0.5…2; 1 by default.
  ///
  /// The value is stored, but not used.
  public var rate: Float {
    get { levels.place.rate }
    set { changePlace { $0.rate = newValue } }
  }

  /// The share of the sound that is sent to the environment's reverb, 0…1; 0 by default.
  public var reverbBlend: Float {
    get { levels.place.reverbBlend }
    set { changePlace { $0.reverbBlend = newValue } }
  }

  /// The attenuation of the direct sound by an obstacle, in decibels, −100…0; 0 by default.
  public var obstruction: Float {
    get { levels.place.obstruction }
    set { changePlace { $0.obstruction = newValue } }
  }

  /// The attenuation of both the direct sound and the reverb, in decibels, −100…0; 0 by default.
  public var occlusion: Float {
    get { levels.place.occlusion }
    set { changePlace { $0.occlusion = newValue } }
  }

  /// The position of the source; the origin by default.
  public var position: AVAudio3DPoint {
    get { levels.place.position }
    set { changePlace { $0.position = newValue } }
  }

  private func changePlace(_ body: (inout SpatialPlace) -> Void) {
    changeLevels { body(&$0.place) }
  }
}
