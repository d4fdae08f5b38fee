-- As everywhere in the product, the greater sort ranks first; the tens leave room between two nodes.
UPDATE permission_node SET sort = 100000 - 10 * sort;
