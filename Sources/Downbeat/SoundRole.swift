// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What a program's sound is, for desktops that make way for one kind with another: turn music down for
/// a notification, or keep a notification out of a call.
///
/// PipeWire is told, whether it is reached by JACK's interface or by ALSA's; plain JACK and ALSA know
/// nothing of the kind.
///
/// Source: PipeWire, the key `media.role`.
public enum SoundRole: String, CaseIterable, Sendable {
  /// Music that somebody listens to, or plays.
  case music = "Music"
  /// A short sound that tells something.
  case notification = "Notification"

  /// Tells servers what this process's sound is, and the icon that mixers show with it.
  ///
  /// Outputs that are opened from then on have it. A user who has set `PIPEWIRE_PROPS` is not overruled.
  /// The program's name stays the client's: PipeWire would put another before the names of its JACK ports.
  ///
  /// - Parameter icon: an icon's name in the desktop's theme; none by default. Quotes, backslashes and
  ///   control characters are left out.
  /// - Note: It changes the environment: to be called before other threads read that, thus at the start.
  public func announce(icon: String? = nil) {
    let icon = icon.map { " application.icon-name = \(Self.quoted($0))" } ?? ""
    unsafe setenv("PIPEWIRE_PROPS", "{ media.role = \(rawValue)\(icon) }", 0)
  }

  /// A text as PipeWire reads it, in which some characters have a meaning.
  private static func quoted(_ text: String) -> String {
    let plain = text.unicodeScalars.filter { $0.value >= 32 && $0 != "\"" && $0 != "\\" }
    return "\"" + String(String.UnicodeScalarView(plain)) + "\""
  }
}
