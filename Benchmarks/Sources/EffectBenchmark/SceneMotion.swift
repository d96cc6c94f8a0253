// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import MusicalTime

/// What the sources of a scene do.
enum SceneMotion: String, CaseIterable {
  case standing, circling
  case circlingUp = "circling and rising"
  case circlingByDoppler = "circling nearer, with Doppler"

  /// Per cent of a core that may be taken.
  var limit: Double? {
    switch self {
    case .standing, .circling: 10
    case .circlingUp, .circlingByDoppler: nil
    }
  }

  /// Seconds for which they move.
  static let length = 20.0

  /// A scene of which every source goes around the listener once a second, or none; from frame 64 on.
  func scene(sourceCount: Int, _ head: HeadResponses, rate: SampleRate) -> SceneUnit {
    let scene = SceneUnit(sourceCount: sourceCount, output: .headphones(head), rate: rate)
    let frames = Int(Self.length * Double(rate.hertz))
    for source in 0..<sourceCount {
      func move(_ setting: SceneUnit.Setting, from start: Float, to end: Float) {
        let number = source * SceneUnit.Setting.allCases.count + setting.rawValue
        _ = scene.parameters.schedule(number, to: start, at: 0, over: 0)
        if start != end {
          _ = scene.parameters.schedule(number, to: end, at: 64, over: frames)
        }
      }
      let place = Float(source) * 360 / Float(sourceCount) + 1
      switch self {
      case .standing: move(.azimuth, from: place, to: place)
      default: move(.azimuth, from: place - 3600, to: place + 3240)
      }
      if self == .circlingUp { move(.elevation, from: -60, to: 60) }
      if self == .circlingByDoppler { move(.distance, from: 60, to: 1) }
    }
    if self == .circlingByDoppler {
      let number =
        sourceCount * SceneUnit.Setting.allCases.count + SceneUnit.ListenerSetting.doppler.rawValue
      _ = scene.parameters.schedule(number, to: 1, at: 0, over: 0)
    }
    return scene
  }
}
