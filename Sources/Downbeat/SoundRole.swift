// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The kind of a program's sound, for desktops that turn down one kind while another plays.
///
/// For example, a desktop may turn music down for a notification, or suppress notifications during
/// a call. Only PipeWire uses it, through the interface of JACK or of ALSA.
///
/// Source: PipeWire, the key `media.role`.
public enum SoundRole: String, CaseIterable, Sendable {
  /// Music.
  case music = "Music"
  /// A short sound that notifies the user.
  case notification = "Notification"

  /// Sets the role of this process's sound, and the icon that mixers show for it.
  ///
  /// It applies to outputs that are opened later. The user's own `PIPEWIRE_PROPS` is not
  /// overwritten. The application name is not set, because PipeWire would put it before the names
  /// of JACK ports.
  ///
  /// - Parameter icon: The name of an icon in the desktop's theme; nil, the default, for none.
  ///   Quotes, backslashes and control characters are removed.
  /// - Note: It changes the environment, so call it at the start, before other threads read the
  ///   environment.
  public func announce(icon: String? = nil) {
    let icon = icon.map { " application.icon-name = \(Self.quoted($0))" } ?? ""
    unsafe setenv("PIPEWIRE_PROPS", "{ media.role = \(rawValue)\(icon) }", 0)
  }

  /// The text in quotes, without characters that are special to PipeWire.
  private static func quoted(_ text: String) -> String {
    let plain = text.unicodeScalars.filter { $0.value >= 32 && $0 != "\"" && $0 != "\\" }
    return "\"" + String(String.UnicodeScalarView(plain)) + "\""
  }
}
