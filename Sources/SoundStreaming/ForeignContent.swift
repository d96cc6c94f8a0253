// SPDX-License-Identifier: Apache-2.0

/// A kind of content at a web address that is not sound.
///
/// The raw value is the name in error messages.
public enum ForeignContent: String, Hashable, Sendable {
  /// A web page.
  case webPage = "a web page"
  /// A list of addresses in the format M3U, PLS or XSPF, such as the list of a radio station.
  case addressList = "a playlist"
  /// A list of addresses that does not contain a web address.
  case emptyList = "an empty playlist"
  /// A playlist of HTTP Live Streaming (HLS).
  case broadcast = "an HLS stream"
  /// An image file.
  case picture = "a picture"
  /// A text file, such as JSON or XML.
  case text = "a text"
}
