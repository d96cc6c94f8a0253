// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import JSONText

/// The options for the instruments, effects and sends of tracks.
package struct ChainOptions: ParsableArguments {
  package init() {}

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Play an LV2 instrument instead of the soundfont, such as"
        + " 'lv2:mda-epiano preset=\"Bright\"' (downbeat lv2 list).", valueName: "lv2:name"),
    completion: .instruments)
  package var instrument: String?

  @Option(
    name: .customLong("on"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Add an instrument or effect to tracks, by number or name: --on 2='lv2:mda-epiano',"
        + " --on 3,4='reverb mix=0.3'. Repeatable; several effects on a track are applied in"
        + " order.",
      valueName: "tracks=unit"),
    transform: TrackChoice.init(parsing:))
  package var on: [TrackChoice] = []

  @Option(
    name: .customLong("bus"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Create a bus with an effect: hall='reverb mix=1'. Repeatable; several effects on a bus are"
        + " applied in order.", valueName: "bus=effect"),
    transform: BusChoice.init(parsing:))
  package var buses: [BusChoice] = []

  @Option(
    name: .customLong("send"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Send tracks to a bus, in addition to their direct sound: 2=hall:-12dB. Default gain: 0dB.",
      valueName: "tracks=bus:gain"),
    transform: SendChoice.init(parsing:))
  package var sends: [SendChoice] = []

  /// True if the soundfonts play everything into one mix.
  package var isEmpty: Bool { instrument == nil && on.isEmpty && buses.isEmpty && sends.isEmpty }

  package func validate() throws {
    if let instrument, !PluginShelf.isPlugin(instrument) {
      throw ValidationError(
        "--instrument \(instrument): not a plug-in (write lv2:NAME; for names: downbeat lv2 list)")
    }
    let names = Set(buses.map(\.name))
    for send in sends where !names.contains(send.bus) {
      let near = NearestNames.nearest(to: send.bus, among: names.sorted())
      let hint = near.map { "did you mean \($0)?" } ?? "add --bus \(send.bus)='reverb mix=1'"
      throw ValidationError("--send: unknown bus \(send.bus) (\(hint))")
    }
    if let idle = names.subtracting(sends.map(\.bus)).min() {
      throw ValidationError("--bus \(idle): nothing is sent to it (add --send TRACK=\(idle))")
    }
  }

  /// Throws if there are options for tracks, in a command without tracks.
  package func checkTracks(_ reason: String) throws {
    guard on.isEmpty, buses.isEmpty else { throw ValidationError("--on, --bus, --send: \(reason)") }
  }
}
