// SPDX-License-Identifier: Apache-2.0
internal import SoundFontVoices

extension PartParameter {
  /// The name of the parameter for users, without an article.
  ///
  /// Related parameters share a name, such as `key range`.
  var words: String {
    switch self {
    case .sound(let sound): Self.words(sound)
    case .depth(let source, _): Self.words(source) + " depths"
    case .delaySend: "delay send"
    case .dryLevel: "dry level"
    case .insertion: "insertion effect"
    case .equalizer: "equalizer"
    case .receiveChannel: "receive channel"
    case .receives: "receive switches"
    case .lowKey, .highKey: "key range"
    case .lowVelocity, .highVelocity: "velocity range"
    case .keyShift: "key shift"
    case .velocityDepth, .velocityOffset: "velocity sense"
    case .polyphony: "mono or poly"
    case .assignment: "assign mode"
    case .firstController, .secondController: "assigned controllers"
    case .softPedal: "soft pedal"
    case .upperPitchOffset, .lowerPitchOffset: "pitch offset"
    case .upperFineTuning, .lowerFineTuning: "fine tuning"
    case .pan: "pan"
    case .controller(let number): Self.words(controller: number)
    case .program: "program"
    case .bendRange: "bend range"
    case .rhythm, .partMode: "part mode"
    case .scale: "scale tuning"
    }
  }

  private static func words(_ sound: PartState.Sound) -> String {
    switch sound {
    case .vibratoRate: "vibrato rate"
    case .vibratoDepth: "vibrato depth"
    case .vibratoDelay: "vibrato delay"
    case .cutoff: "cutoff"
    case .resonance: "resonance"
    case .attack: "attack"
    case .decay: "decay"
    case .release: "release"
    }
  }

  private static func words(_ source: ControlSource) -> String {
    switch source {
    case .modulation: "modulation"
    case .bend: "bend"
    case .pressure: "pressure"
    case .keyPressure: "key pressure"
    case .first, .second: "assigned controller"
    }
  }

  private static func words(controller number: UInt8) -> String {
    switch number {
    case 0, 32: "bank"
    case 5, 65: "portamento"
    case 7: "level"
    case 91: "reverb send"
    case 93: "chorus send"
    default: "controller \(number)"
    }
  }
}

extension NoteParameter {
  /// The name of the parameter for users.
  var words: String {
    switch self {
    case .pitch, .playKey, .finePitch: "pitch"
    case .level: "level"
    case .pan: "pan"
    case .reverb: "reverb send"
    case .chorus: "chorus send"
    case .delay: "delay send"
    case .cutoff: "cutoff"
    case .resonance: "resonance"
    case .attack: "attack"
    case .decay: "decay"
    case .group: "exclusive group"
    case .receivesOn, .receivesOff: "receive switches"
    }
  }
}
