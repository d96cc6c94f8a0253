// SPDX-License-Identifier: Apache-2.0

/// A kind of content at a web address that is not sound.
///
/// The raw value is the name in error messages.
public enum ForeignContent: String, Hashable, Sendable {
  /// A web page.
  case webPage = "a web page"
  /// A list of addresses, such as that of a radio station, in M3U, PLS or XSPF.
  case addressList = "a playlist"
  /// A list without web addresses.
  case emptyList = "an empty playlist"
  /// An HLS playlist.
  case broadcast = "an HLS stream"
  /// A picture.
  case picture = "a picture"
  /// JSON, XML or another text.
  case text = "a text"
}
