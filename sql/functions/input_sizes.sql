-- input_sizes: the inputs that a workload declares, each as its dtype and its sizes, axes replaced by their sizes.
-- Grain:  a list of struct(dtype, sizes) from the JSON columns inputs and axes.
-- Reads:  nothing.
create or replace macro input_sizes(inputs, axes) as
list_transform(
    from_json(inputs, '[{"dtype": "VARCHAR", "shape": ["VARCHAR"]}]'),
    lambda input: struct_pack(
        dtype := input['dtype'],
        sizes := list_transform(
            input['shape'],
            lambda size: coalesce(try_cast(size as bigint), json_extract_string(axes, size)::bigint)
        )
    )
);
