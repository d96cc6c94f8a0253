// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ArgumentParser
internal import Glibc
internal import MIDIMessages
internal import Realtime

/// Passes events from ports to ports.
struct Thru: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Pass events from ports to ports, filtered and changed on the way.",
    discussion: """
      With nothing to filter or change the kernel carries the events. A release always follows \
      its note, and when the command ends what sounds is released.

      EXAMPLES:
        downbeat thru --from UM-ONE --to fluid
        downbeat thru --from UM-ONE --to fluid --keys 0-59 --map 1=2 --transpose 12
        downbeat thru --from UM-ONE --to fluid --not clock,sensing --velocity +20
      """)

  @Option(name: [.customShort("f"), .long], help: "A port to receive from; repeatable.")
  var from: [String]

  @Option(name: [.customShort("t"), .long], help: "A port to send to; repeatable.")
  var to: [String]

  @OptionGroup var filtering: FilterOptions

  @Option(help: "Semitones up, or down with a minus; channel 10 is spared.")
  var transpose = 0

  @Option(
    help: ArgumentHelp(
      "New channels, such as 1=2,3=off.", valueName: "old=new"))
  var map: String?

  @Option(
    help: ArgumentHelp(
      "What becomes of velocities: +10, -10, 50%, min40, max100 or 64.", valueName: "change"))
  var velocity: String?

  @Flag(help: "Wait until the ports are there.")
  var wait = false

  func validate() throws {
    guard !from.isEmpty, !to.isEmpty else { throw ValidationError("name ports: --from, --to") }
    guard (-127...127).contains(transpose) else {
      throw ValidationError("--transpose \(transpose): a number of -127…127")
    }
    _ = try transform()
  }

  func run() throws {
    let signals = SignalWatch(whilePlaying: true)
    let waiting = try SignalWait(signals)
    let client = try ALSAClient.guarded(name: "downbeat thru")
    let finder = PortFinder(client: client, signals: waiting, waits: wait)
    let sources = try finder.find(from, .source)
    let destinations = try finder.find(to, .destination)
    var follower = try PortFollower(sources + destinations)
    signals.holdForCleanUp()
    let thru = try ThruConnection(
      client, from: sources, to: destinations,
      through: ThruMap(filter: filtering.filter, transform: try transform()))
    defer { thru.close() }
    let number = try carry(thru, &follower, waiting, signals)
    thru.close()
    SignalWatch.die(by: number)
  }

  /// Carries events until a signal comes, and returns its number.
  private func carry(
    _ thru: ThruConnection, _ follower: inout PortFollower, _ waiting: SignalWait,
    _ signals: SignalWatch
  ) throws -> Int32 {
    while true {
      let soon = thru.isIdle ? nil : DeadlineWait.now + 1_000_000
      let descriptors = thru.descriptors + follower.descriptors
      switch waiting.until(soon, readable: descriptors) {
      case .signal(SIGTSTP):
        thru.close()
        signals.pause()
        try thru.reopen()
      case .signal(let number): return number
      case .readable, .deadline: break
      }
      try thru.pump()
      try follower.update { try thru.connect($0) }
    }
  }

  private func transform() throws -> MessageTransform {
    var transform = MessageTransform()
    transform.transposition = transpose
    if let velocity { transform.velocity = try Self.change(velocity) }
    for part in (map ?? "").split(separator: ",") {
      let ends = part.split(separator: "=", omittingEmptySubsequences: false)
      guard ends.count == 2, let old = Int(ends[0]).flatMap(Channel.init(number:)) else {
        throw ValidationError("--map \(part): write old=new, such as 1=2 or 3=off")
      }
      let new = Int(ends[1]).flatMap(Channel.init(number:))
      guard new != nil || ends[1] == "off" else {
        throw ValidationError("--map \(part): the new channel is 1…16 or off")
      }
      transform.channelMap[Int(old.index)] = new
    }
    return transform
  }

  private static func change(_ text: String) throws -> ValueTransform {
    if text.hasSuffix("%"), let percent = Int(text.dropLast()), (0...10000).contains(percent) {
      return .scale(by4096ths: (percent * 4096 + 50) / 100)
    }
    if text.hasPrefix("min"), let floor = UInt8(text.dropFirst(3)), floor < 128 {
      return .atLeast(floor)
    }
    if text.hasPrefix("max"), let ceiling = UInt8(text.dropFirst(3)), ceiling < 128 {
      return .atMost(ceiling)
    }
    if text.hasPrefix("+") || text.hasPrefix("-"), let distance = Int(text) {
      return .add(distance)
    }
    if let fixed = UInt8(text), (1...127).contains(fixed) {
      return .map(Array(repeating: fixed, count: 128))
    }
    throw ValidationError("--velocity \(text): write +10, -10, 50%, min40, max100 or 64")
  }
}
