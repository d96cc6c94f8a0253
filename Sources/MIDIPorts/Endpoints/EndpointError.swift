// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// An error of ports or of the ALSA sequencer.
public enum EndpointError: Error, Hashable, Sendable {
  /// The ALSA sequencer is not available.
  case noSequencer
  /// The user does not have permission to open the ALSA sequencer.
  case noPermission
  /// No port has the name or number that was given.
  case unknown(text: String, direction: Endpoint.Direction, available: [String])
  /// Several ports match the name that was given.
  case ambiguous(text: String, candidates: [String])
  /// The name was given without a kind, and ports of several kinds match it.
  case ofSeveralKinds(text: String, candidates: [String], kinds: [PortKind])
  /// The name begins with a kind of port that this program does not support.
  case noProvider(text: String, available: [PortKind])
  /// A port vanished.
  case vanished(name: String)
  /// The ALSA sequencer refused a request; the code is a positive error number.
  case refused(action: String, code: Int32)
}

extension EndpointError: CustomStringConvertible {
  /// The error message.
  public var description: String {
    switch self {
    case .noSequencer:
      "ALSA sequencer: not available (load it: sudo modprobe snd-seq)"
    case .noPermission:
      "ALSA sequencer: /dev/snd/seq: permission denied (join the group audio: sudo usermod -aG"
        + " audio \"$USER\", and log in again)"
    case .unknown(let text, _, _) where text.hasPrefix("rtp:"):
      "port '\(text)': \(Self.sessionReason(text))"
    case .unknown(let text, let direction, let available):
      "port '\(text)': unknown \(direction)\(Self.listed(available))"
    case .ambiguous(let text, let candidates):
      "port '\(text)': matches several: \(Self.joined(candidates))"
        + " (use the \(Self.areNumbered(candidates) ? "number" : "full name"))"
    case .ofSeveralKinds(let text, let candidates, let kinds):
      "port '\(text)': matches several: \(Self.joined(candidates))"
        + " (write \(kinds.map { "\($0):\(text)" }.joined(separator: " or ")))"
    case .noProvider(let text, let available):
      "port '\(text)': unknown kind of port"
        + " (available: \(available.map { "\($0):" }.joined(separator: ", ")))"
    case .vanished(let name):
      "port '\(name)': disconnected"
    case .refused(let action, let code):
      "ALSA sequencer: cannot \(action): \(Self.words(code))"
    }
  }

  /// The reason that an RTP-MIDI session is not found: names need Avahi, addresses an answer.
  private static func sessionReason(_ text: String) -> String {
    guard text.split(separator: ":").count < 3 else {
      return "no answer (enable the session on its machine, and allow UDP in firewalls)"
    }
    return "no session with this name (names need the daemon of Avahi: install avahi-daemon, or"
      + " use rtp:HOST:PORT; see downbeat ports --network)"
  }

  private static func listed(_ names: [String]) -> String {
    names.isEmpty
      ? " (none available: start a synthesiser, or connect one)"
      : " (available: \(joined(names)); see downbeat ports)"
  }

  private static func joined(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }

  private static func areNumbered(_ names: [String]) -> Bool {
    names.allSatisfy { $0.first?.isNumber == true }
  }

  private static func words(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text).lowercased()
  }
}
