// SPDX-License-Identifier: Apache-2.0

extension PlayCommand {
  /// The word by which other programs ask for it, or for most of it; nil where there is none.
  package var verb: ControlVerb? {
    switch self {
    case .pause: .toggle
    case .setPaused(let pauses): pauses ? .pause : .play
    case .stop: .stop
    case .seek, .locate: .seek
    case .bars: .bars
    case .marker: .marker
    case .restart: .restart
    case .file(let step): step < 0 ? .previous : .next
    case .goTo: .go
    case .quit, .leave: .quit
    default: settingVerb
    }
  }

  /// What it is called in a refusal.
  package var word: String {
    if case .setRepetition = self { return ControlProperty.repetition.rawValue }
    return verb?.rawValue ?? "that"
  }

  /// Of what sounds otherwise from then on.
  private var settingVerb: ControlVerb? {
    switch self {
    case .speed(let percent): percent < 0 ? .slower : .faster
    case .speedFactor, .setSpeed: .speed
    case .normalSpeed: .normal
    case .tap: .tap
    case .setTempo: .tempo
    case .transpose(let step): step < 0 ? .lower : .higher
    case .setTransposition: .transpose
    case .volume(let step): step < 0 ? .softer : .louder
    case .setVolume: .volume
    case .select, .mute, .setMuted: .mute
    case .solo, .setSoloed: .solo
    case .hearAll: .hearAll
    case .setProgram: .program
    case .loopPart, .setLoop: .loop
    case .loopSong: .loopSong
    case .endLoop: .noLoop
    case .panic: .panic
    default: nil
    }
  }
}
