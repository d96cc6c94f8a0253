// SPDX-License-Identifier: Apache-2.0
internal import CALSA

/// What can go wrong with the ALSA sequencer and the ports in it.
public enum EndpointError: Error, Hashable, Sendable {
  /// There is no ALSA sequencer.
  case noSequencer
  /// The sequencer is there and this user may not open it.
  case noPermission
  /// No port answers to a text.
  case unknown(text: String, direction: Endpoint.Direction, available: [String])
  /// Several ports answer to a text.
  case ambiguous(text: String, candidates: [String])
  /// A port went away.
  case vanished(name: String)
  /// The sequencer refused something; the code is a positive error number.
  case refused(action: String, code: Int32)

  /// Fails where a call of libasound returned a negative error number.
  @discardableResult
  static func check(_ action: String, _ code: Int32) throws(EndpointError) -> Int32 {
    guard code < 0 else { return code }
    throw .refused(action: action, code: -code)
  }

  /// The failure to open the sequencer, told by its error number.
  static func opening(_ code: Int32) -> EndpointError {
    switch -code {
    case ENOENT, ENODEV, ENXIO: .noSequencer
    case EACCES, EPERM: .noPermission
    default: .refused(action: "open the ALSA sequencer", code: -code)
    }
  }
}

extension EndpointError: CustomStringConvertible {
  /// The sentence for the user.
  public var description: String {
    switch self {
    case .noSequencer:
      "ALSA sequencer: there is none (load it: sudo modprobe snd-seq)"
    case .noPermission:
      "ALSA sequencer: /dev/snd/seq may not be opened (join the group audio: sudo usermod -aG"
        + " audio \"$USER\", and log in again)"
    case .unknown(let text, let direction, let available):
      "port '\(text)': there is no such \(direction)\(Self.listed(available))"
    case .ambiguous(let text, let candidates):
      "port '\(text)': it could be any of \(Self.joined(candidates)) (give its number)"
    case .vanished(let name):
      "port '\(name)': it went away"
    case .refused(let action, let code):
      "ALSA sequencer: cannot \(action): \(Self.words(code))"
    }
  }

  private static func listed(_ names: [String]) -> String {
    names.isEmpty
      ? "; there are none at all (start a synthesizer, or plug one in)"
      : "; there are \(joined(names)) (downbeat ports lists them)"
  }

  private static func joined(_ names: [String]) -> String {
    names.map { "'\($0)'" }.joined(separator: ", ")
  }

  private static func words(_ code: Int32) -> String {
    guard let text = unsafe snd_strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text).lowercased()
  }
}
