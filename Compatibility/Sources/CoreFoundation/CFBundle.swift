// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Returns the bundle of the program: the folder with its files.
public func CFBundleGetMainBundle() -> CFBundle! { Bundle.main }

/// Returns the URL of a file in a bundle.
///
/// - Parameters:
///   - bundle: The bundle.
///   - resourceName: The name of the file.
///   - resourceType: The suffix without the dot, or nil if `resourceName` includes it.
///   - subDirName: A folder in the bundle; may be nil.
/// - Returns: The URL, or nil if the file does not exist.
public func CFBundleCopyResourceURL(
  _ bundle: CFBundle!, _ resourceName: CFString!, _ resourceType: CFString!,
  _ subDirName: CFString!
) -> CFURL! {
  let path = bundle?.path(
    forResource: resourceName?.description, ofType: resourceType?.description,
    inDirectory: subDirName?.description)
  return path.map { NSURL(fileURLWithPath: $0) }
}
