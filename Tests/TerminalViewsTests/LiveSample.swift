// SPDX-License-Identifier: Apache-2.0
import TerminalViews

/// A song in the middle of its playback, with all data that a view can show.
enum LiveSample {
  static var state: LiveState {
    var state = LiveState()
    state.title = "The Parting Glass"
    state.place = "2/7"
    state.time = "1:23 / 3:45"
    state.music = "33.2.120"
    state.fields = [
      .init("tempo", "104.0"), .init("meter", "3/4"), .init("key", "E♭ major"),
      .init("speed", "90 %", .accent), .init("transpose", "−2", .accent), .init("volume", "−3 dB"),
      .init("voices", "42"), .init("cpu", "3 %"), .init("underruns", "1", .warning),
      .init("sync", "midi 24:0, locked, 104.02 bpm"), .init("loop", "2"),
    ]
    state.bar = .init(
      position: 0.37,
      markers: [
        .init("Verse", at: 0.05), .init("Chorus", at: 0.3), .init("Verse 2", at: 0.5),
        .init("Coda", at: 0.9),
      ], first: 0.3, last: 0.5)
    state.words = [
      .init(sung: "Of all the money that e’er I had,", rest: ""),
      .init(sung: "I spent it in ", rest: "good company.", isCurrent: true),
      .init(rest: "And all the harm I’ve ever done,"),
      .init(rest: "Alas it was to none but me."),
      .init(rest: "And all I’ve done for want of wit"),
    ]
    let names = [
      "Acoustic Grand Piano", "Violin", "Cello", "Flute", "Clarinet",
      "Trumpet", "French Horn", "String Ensemble 1", "Choir Aahs", "Standard Kit",
      "Acoustic Bass", "Acoustic Guitar (nylon)", "Orchestral Harp", "Church Organ",
      "Lead 1 (square)", "FX 3 (crystal)",
    ]
    state.channels = names.enumerated().map { index, name in
      LiveState.ChannelRow(
        number: index + 1, name: name, level: Double(index % 5) / 4, isActive: index % 5 > 0,
        isMuted: index == 4, isSoloed: false, isHeard: index != 4)
    }
    state.selected = 1
    state.hint = "space pause  ←→ seek  ? all keys  q quit"
    return state
  }

  static let help: [LiveState.KeyHelp] = (1...28).map {
    .init("key \($0)", "what the key with the number \($0) does")
  }
}
