// SPDX-License-Identifier: Apache-2.0
internal import CoreMedia

/// The sample buffers of an output of a reader, in order.
///
/// - Note: One thread at a time.
protocol SampleSupply: AnyObject {
  /// The next buffer; nil at the end.
  ///
  /// - Throws: The error of a file that cannot be read further.
  func next() throws(AVError) -> CMSampleBuffer?
}
