// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import MIDIMessages
package import MIDIPorts
internal import PlayerControl
internal import PlayerViews
internal import Synchronization

/// Reports events that ports send late or not at all: once for each wait behind a long SysEx, and
/// at the end of a song.
package final class PortTrouble: Sendable {
  /// The shortest delay that is reported.
  private static let leastDelay = Duration.milliseconds(5)

  private struct State {
    /// The longest delay of each port that has not been reported.
    var delays: [Duration]
    /// The number of lost events of each port at the last report.
    var lost: [Int]
    var hasLost = false
  }

  private let state: Mutex<State>
  /// True to report delays only in JSON output.
  private let isQuiet: Bool

  /// Starts to watch ports; events lost before are not reported.
  package init(_ ports: OutputPorts?, isQuiet: Bool) {
    let members = ports?.members ?? []
    state = Mutex(
      State(
        delays: members.map { _ in .zero }, lost: members.map { $0.port.lostEventCount }))
    self.isQuiet = isQuiet
  }

  /// True if events were lost.
  package var hasLost: Bool { state.withLock { $0.hasLost } }

  /// Reports the delays of ports that do not hold events back any more, and lost events.
  ///
  /// - Parameters:
  ///   - ports: The ports.
  ///   - isLast: True to report everything, at the end; false by default.
  package func update(_ ports: OutputPorts, isLast: Bool = false) {
    for (index, member) in ports.members.enumerated() {
      let delay = takeDelay(of: member.port, index, isLast: isLast)
      if delay >= Self.leastDelay { tell(delay, ports.targets(of: index)) }
      let lost = takeLost(of: member.port, index)
      if lost > 0 { tell(lost, ports.targets(of: index)) }
    }
  }

  /// Silences ports that hold events back for a long time, so that no note keeps sounding.
  ///
  /// A SysEx that is being sent is cut off, and reported.
  package func cutShort(_ ports: OutputPorts) {
    for (index, member) in ports.members.enumerated() where member.port.isHoldingBack {
      member.port.silence()
      tell(1, ports.targets(of: index))
    }
  }

  private func takeDelay(of port: any OutputPort, _ index: Int, isLast: Bool) -> Duration {
    let delay = port.takeSysExDelay()
    let mayTell = isLast || !port.isHoldingBack
    return state.withLock { state in
      state.delays[index] = max(state.delays[index], delay)
      guard mayTell else { return .zero }
      defer { state.delays[index] = .zero }
      return state.delays[index]
    }
  }

  private func takeLost(of port: any OutputPort, _ index: Int) -> Int {
    let count = port.lostEventCount
    return state.withLock { state in
      defer { state.lost[index] = count }
      return count - state.lost[index]
    }
  }

  private func tell(_ delay: Duration, _ targets: [Endpoint]) {
    let milliseconds = Int((delay / .milliseconds(1)).rounded(.up))
    JSONReport.tell(
      "sysex-delay",
      [("ports", PortReport.json(targets)), ("milliseconds", .integer(milliseconds))])
    guard !isQuiet else { return }
    Terminal.report(
      "\(Self.names(targets)): events were delayed by up to \(milliseconds) ms behind a long SysEx"
        + " (--sysex-rate sets its speed)")
  }

  private func tell(_ lost: Int, _ targets: [Endpoint]) {
    state.withLock { $0.hasLost = true }
    JSONReport.tell(
      "not-sent", [("ports", PortReport.json(targets)), ("count", .integer(lost))])
    Terminal.report(
      "\(Self.names(targets)): \(lost.counted("event")) could not be sent completely")
  }

  private static func names(_ targets: [Endpoint]) -> String {
    targets.isEmpty ? "port" : "port " + targets.map { "'\($0)'" }.joined(separator: ", ")
  }
}
