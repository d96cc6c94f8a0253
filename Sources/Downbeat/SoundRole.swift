// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The kind of sound that a program makes, for desktops that lower one kind while another plays.
///
/// For example, a desktop can lower music for a notification, or suppress notifications during a
/// call. Only PipeWire uses the role, through the interface of JACK or of ALSA.
///
/// Source: PipeWire, the key `media.role`.
public enum SoundRole: String, CaseIterable, Sendable {
  /// The program plays music.
  case music = "Music"
  /// The program plays a short sound that notifies the user.
  case notification = "Notification"

  /// Sets the role of this process's sound, and the icon that mixers show for it.
  ///
  /// The role applies to outputs that are opened later. The user's own `PIPEWIRE_PROPS` is not
  /// overwritten. The application name is not set, because PipeWire would put it before the names
  /// of JACK ports.
  ///
  /// - Parameter icon: The name of an icon in the desktop's theme; nil, the default, for none.
  ///   Quotes, backslashes and control characters are removed.
  /// - Note: The method changes environment variables. Call it at the start, before other threads
  ///   read them.
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
