// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandKit
internal import Glibc
internal import JSONText
package import MIDIMessages
internal import MIDIPorts
internal import Realtime

/// The command `downbeat thru`, which routes events between ports.
package struct Thru: ReportingCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "thru", abstract: "Route MIDI between ports, with filters and changes.",
    discussion: """
      Without filters and changes, the kernel routes the events. Every note-off is sent to the \
      ports of its note-on; when the command ends, sounding notes are released. SysEx messages of \
      any length are sent on as they arrive; until such a message ends, up to 4,096 events from \
      other sources are stored. If it pauses for more than a second, the remainder is discarded.

      EXAMPLES:
        downbeat thru --from UM-ONE --to fluid
        downbeat thru --from UM-ONE --to fluid --keys 0-59 --map 1=2 --transpose 12
        downbeat thru --from UM-ONE --to fluid --not clock,sensing --velocity +20
        downbeat thru -f UM-ONE -t fluid --control modulation=to11,50% --key snare=rim
      """)

  @Option(
    name: [.customShort("f"), .long], help: "Port to receive from; repeatable.",
    completion: .ports(.source))
  package var from: [String]

  @Option(
    name: [.customShort("t"), .long], help: "Port to send to; repeatable.",
    completion: .ports(.destination))
  package var to: [String]

  @OptionGroup package var filtering: FilterOptions

  @Option(
    parsing: .unconditional, help: "Transpose by -127…127 semitones, except channel 10.")
  package var transpose = 0

  @Option(
    help: ArgumentHelp(
      "Change channels, such as 1=2,3=off.", valueName: "old=new"))
  package var map: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Change velocities.", discussion: ValueTransform.grammar, valueName: "change"),
    transform: { try ValueTransform(parsing: $0) })
  var velocity: ValueTransform?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Replace notes or drums by others, given as numbers or names; --transpose is applied last.",
      valueName: "change"))
  package var key: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Change key pressure (polyphonic aftertouch).", valueName: "change"),
    transform: { try ValueTransform(parsing: $0) })
  var keyPressure: ValueTransform?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Change channel pressure (aftertouch).", valueName: "change"),
    transform: { try ValueTransform(parsing: $0) })
  var channelPressure: ValueTransform?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Change program numbers, 1…128.", valueName: "change"),
    transform: { try ValueTransform(parsing: $0, first: 1) })
  package var program: ValueTransform?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Change pitch bend, 0…16383; percentages scale the distance from the centre.",
      valueName: "change"),
    transform: { try ValueTransform(parsing: $0, limit: 16383) })
  var bend: ValueTransform?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Change a controller or parameter; repeatable.",
      discussion: ControlChange.grammar, valueName: "change"),
    transform: ControlChange.parse)
  package var control: [[ControlChange]] = []

  @Flag(help: "Wait until the ports are available.")
  package var wait = false

  @OptionGroup package var sysEx: SysExOptions

  @OptionGroup package var report: JSONOption

  package func validate() throws {
    guard !from.isEmpty, !to.isEmpty else {
      throw ValidationError("no ports (add --from PORT --to PORT)")
    }
    guard (-127...127).contains(transpose) else {
      throw ValidationError("--transpose \(transpose): not in -127…127")
    }
    _ = try transform()
  }

  package func run() throws {
    let signals = SignalWatch(whilePlaying: true)
    let loop = try RunLoop(signals)
    let system = PortSystem.named("downbeat thru", isGuarded: true)
    let finder = PortFinder(system, waitingBy: wait ? loop.waitUntilReadable : nil)
    let sources = try finder.find(from, .source)
    let destinations = try finder.find(to, .destination)
    signals.holdForCleanUp()
    let thru = try system.thru(
      from: sources, to: destinations,
      through: ThruSenders(
        ThruMap(filter: try filtering.filter, transform: try transform()),
        controls: ControlMap(control.flatMap(\.self))),
      sysExSpeed: sysEx.sysexRate)
    defer { thru.end() }
    try JSONReport.begin([
      ("from", PortReport.json(sources)), ("to", PortReport.json(destinations)),
      ("kernel", .bool(thru.isInKernel)),
    ])
    var run = ThruRun(thru: thru)
    let number = try loop.run(&run)
    thru.end()
    if let number { SignalWatch.die(by: number) }
  }

  private func keyTransform(_ text: String) throws -> ValueTransform {
    let words = filtering.octaves.keys
    return try ValueTransform(parsing: text) { name in
      do {
        return UInt16(try words.key(name).number)
      } catch {
        return nil
      }
    }
  }

  private func transform() throws -> MessageTransform {
    var transform = MessageTransform()
    transform.transposition = transpose
    transform.velocity = velocity ?? .none
    transform.key = try key.map(keyTransform) ?? .none
    transform.keyPressure = keyPressure ?? .none
    transform.channelPressure = channelPressure ?? .none
    transform.program = program ?? .none
    transform.bend = bend ?? .none
    for part in (map ?? "").split(separator: ",") {
      let ends = part.split(separator: "=", omittingEmptySubsequences: false)
      guard ends.count == 2, let old = Int(ends[0]).flatMap(Channel.init(number:)) else {
        throw ValidationError("--map \(part): not old=new (try 1=2 or 3=off)")
      }
      let new = Int(ends[1]).flatMap(Channel.init(number:))
      guard new != nil || ends[1] == "off" else {
        throw ValidationError("--map \(part): the new channel is not 1…16 or off")
      }
      transform.channelMap[Int(old.index)] = new
    }
    return transform
  }
}
