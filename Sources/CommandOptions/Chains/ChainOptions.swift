// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import JSONText

/// The flags that say what plays which track, and what its sound goes through.
package struct ChainOptions: ParsableArguments {
  package init() {}

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A plug-in that plays in place of the soundfont, such as 'lv2:mda-epiano preset=\"Bright\"'"
        + " (downbeat lv2 list).", valueName: "lv2:name"),
    completion: .instruments)
  package var instrument: String?

  @Option(
    name: .customLong("on"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "What plays tracks, named by number or name, or what their sound goes through:"
        + " --on 2='lv2:mda-epiano', --on 3,4='reverb wet=0.3'; given more than once for the same, one"
        + " after another.", valueName: "tracks=what"),
    transform: TrackChoice.init(parsing:))
  package var on: [TrackChoice] = []

  @Option(
    name: .customLong("bus"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A bus that tracks are sent to, by its name, and its effect: hall='reverb wet=1'; given more than"
        + " once for the same, one after another.", valueName: "bus=effect"),
    transform: BusChoice.init(parsing:))
  package var buses: [BusChoice] = []

  @Option(
    name: .customLong("send"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "How much of tracks is sent to a bus, beside what is heard of them anyway: 2=hall:-12dB; 0dB"
        + " where nothing is said.", valueName: "tracks=bus:gain"),
    transform: SendChoice.init(parsing:))
  package var sends: [SendChoice] = []

  /// Whether all is played by the soundfont, into one mix.
  package var isEmpty: Bool { instrument == nil && on.isEmpty && buses.isEmpty && sends.isEmpty }

  package func validate() throws {
    if let instrument, !PluginShelf.isPlugin(instrument) {
      throw ValidationError(
        "--instrument \(instrument): no plug-in (write lv2:NAME; downbeat lv2 list)")
    }
    let names = Set(buses.map(\.name))
    for send in sends where !names.contains(send.bus) {
      let near = NearestNames.nearest(to: send.bus, among: names.sorted())
      let hint = near.map { "did you mean \($0)?" } ?? "add --bus \(send.bus)='reverb wet=1'"
      throw ValidationError("--send: there is no bus \(send.bus) (\(hint))")
    }
    if let idle = names.subtracting(sends.map(\.bus)).min() {
      throw ValidationError("--bus \(idle): nothing is sent to it (add --send TRACK=\(idle))")
    }
  }

  /// Refuses what is of tracks, for a command that plays none.
  package func checkTracks(_ reason: String) throws {
    guard on.isEmpty, buses.isEmpty else { throw ValidationError("--on, --bus, --send: \(reason)") }
  }
}
