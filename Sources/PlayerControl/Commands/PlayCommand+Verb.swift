// SPDX-License-Identifier: Apache-2.0

extension PlayCommand {
  /// The verb that requests the command, or most of it; nil if no verb does.
  package var verb: ControlVerb? {
    switch self {
    case .togglePause: .toggle
    case .setPaused(let pauses): pauses ? .pause : .play
    case .stop: .stop
    case .skipSeconds, .locate: .seek
    case .skipBars: .bars
    case .skipMarkers: .marker
    case .restart: .restart
    case .skipFiles(let step): step < 0 ? .previous : .next
    case .goToFile: .go
    case .quit, .quitToResume: .quit
    default: settingVerb
    }
  }

  /// The name of the command in an error message.
  package var word: String {
    if case .setRepetition = self { return ControlProperty.repetition.rawValue }
    return verb?.rawValue ?? "that"
  }

  /// The verb of a command that changes a setting.
  private var settingVerb: ControlVerb? {
    switch self {
    case .changeSpeed(let percent): percent < 0 ? .slower : .faster
    case .multiplySpeed, .setSpeed: .speed
    case .resetSpeed, .resetAll: .normal
    case .tap: .tap
    case .setTempo: .tempo
    case .changeTransposition(let step): step < 0 ? .lower : .higher
    case .setTransposition: .transpose
    case .changeVolume(let step): step < 0 ? .softer : .louder
    case .setVolume: .volume
    case .selectChannel, .toggleMute, .setMuted: .mute
    case .toggleSolo, .setSoloed: .solo
    case .unmuteAll: .hearAll
    case .setProgram: .program
    case .cycleLoop, .setLoop: .loop
    case .toggleSongLoop: .loopSong
    case .endLoop: .noLoop
    case .panic: .panic
    default: nil
    }
  }
}
