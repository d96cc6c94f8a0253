// SPDX-License-Identifier: Apache-2.0

/// A kind of content at an address that is not sound.
///
/// The raw value is the kind's name in error messages.
public enum ForeignContent: String, Hashable, Sendable {
  /// A web page.
  case webPage = "a web page"
  /// A list of addresses, such as radio stations have; M3U, PLS or XSPF.
  case addressList = "a playlist"
  /// A list without addresses of the web.
  case emptyList = "an empty playlist"
  /// An HLS playlist.
  case broadcast = "an HLS stream"
  /// A picture.
  case picture = "a picture"
  /// JSON, XML or another text.
  case text = "a text"
}
